;; A real XTDB 1.24.5 node behind the part of its HTTP API that our client speaks.
;;
;; XTDB's own HTTP module is not on Maven Central in this version, so the few endpoints are
;; made here over the JDK's server. Documents, transactions, Datalog and time are XTDB's:
;; operations go through its own xtdb.tx.conform, and answers have the form that its
;; documentation of the HTTP API shows.
;;
;;   java --add-opens=java.base/java.util.concurrent=ALL-UNNAMED \
;;        --add-opens=java.base/java.nio=ALL-UNNAMED -cp 'LIB/*' clojure.main node.clj PORT [DIR]
;;
;; Without DIR everything is in memory, else in RocksDB under DIR. PORT 0 takes a free one.
;; "listening on PORT" is printed when the node answers. It serves loopback only.
(ns node
  (:require [clojure.data.json :as json]
            [clojure.edn :as edn]
            [clojure.instant :as instant]
            [clojure.java.io :as io]
            [clojure.string :as str]
            [xtdb.api :as xt]
            [xtdb.tx.conform :as txc])
  (:import [com.sun.net.httpserver HttpServer HttpHandler HttpExchange]
           [java.net InetAddress InetSocketAddress URLDecoder]
           [java.text SimpleDateFormat]
           [java.time Duration]
           [java.util Date TimeZone]
           [java.util.concurrent Executors]))

(defn seconds [^Date d]
  (.format (doto (SimpleDateFormat. "yyyy-MM-dd'T'HH:mm:ss'Z'") (.setTimeZone (TimeZone/getTimeZone "UTC"))) d))

;; An id of a document's version is not JSON: it is written as text.
(defn plain [_ v]
  (cond (instance? Date v) (seconds v)
        (instance? xtdb.codec.Id v) (str v)
        :else v))

(defn ->json [v]
  (json/write-str v :key-fn #(if (keyword? %) (subs (str %) 1) (str %)) :value-fn plain
                  :escape-unicode false :escape-slash false))

(defn camel [k]
  (let [[a & more] (str/split (name k) #"-")]
    (keyword (apply str a (map str/capitalize more)))))

(defn camels [m] (into {} (map (fn [[k v]] [(camel k) v])) m))

(defn kebab [s] (str/lower-case (str/replace s #"([a-z])([A-Z])" "$1-$2")))

(defn query-params [^HttpExchange x]
  (into {}
        (for [pair (some-> x .getRequestURI .getRawQuery (str/split #"&"))
              :let [[k v] (str/split pair #"=" 2)]]
          [(kebab (URLDecoder/decode k "UTF-8")) (URLDecoder/decode (or v "") "UTF-8")])))

(defn date [s] (some-> s instant/read-instant-date))
(defn number [s] (some-> s Long/parseLong))

(defn db [node {:strs [valid-time tx-time tx-id]}]
  (xt/db node {::xt/valid-time (date valid-time) ::xt/tx-time (date tx-time) ::xt/tx-id (number tx-id)}))

(defn eid [{:strs [eid eid-edn eid-json]}]
  (or (some-> eid-edn edn/read-string) (some-> eid-json json/read-str) eid))

(def decoders
  {::txc/->valid-time (fn [s] (try (instant/read-instant-date s) (catch Exception _ s)))})

(defn tx-op [op]
  (-> (vec op) (update 0 #(keyword "xtdb.api" %)) (txc/conform-tx-op decoders) txc/->tx-op))

(defn submit [node body]
  (let [{:keys [tx-ops]} (json/read-str body :key-fn keyword)]
    [202 (camels (xt/submit-tx node (mapv tx-op tx-ops)))]))

(defn timeout [{:strs [timeout]}] (some-> timeout Long/parseLong Duration/ofMillis))

(defn await-tx [node {:strs [tx-id] :as q}]
  [200 (camels (xt/await-tx node {::xt/tx-id (number tx-id)} (timeout q)))])

(defn history [node {:strs [sort-order with-corrections with-docs] :as q}]
  (when-not (#{"asc" "desc"} sort-order)
    (throw (ex-info "sort-order is asc or desc" {:error "Missing sort-order"})))
  (with-open [h (xt/open-entity-history (db node q) (eid q) (keyword sort-order)
                                        {:with-corrections? (= "true" with-corrections) :with-docs? (= "true" with-docs)})]
    [200 (mapv camels (iterator-seq h))]))

(defn entity [node {:strs [history] :as q}]
  (cond
    (nil? (eid q)) [400 {:error "Missing eid"}]
    (= "true" history) (node/history node q)
    :else (if-let [e (not-empty (xt/entity (db node q) (eid q)))]
            [200 e]
            [404 {:error (str (eid q) " entity not found")}])))

(defn query [node q ^String body]
  (let [{:keys [query in-args]} (edn/read-string body)]
    [200 (vec (apply xt/q (db node q) query in-args))]))

(defn route [node method path q ^HttpExchange x]
  (let [body (slurp (.getRequestBody x) :encoding "UTF-8")
        content-type (str (.getFirst (.getRequestHeaders x) "Content-Type"))]
    (case [method path]
      ["GET" "/_xtdb/status"] [200 (camels (xt/status node))]
      ["GET" "/_xtdb/entity"] (entity node q)
      ["GET" "/_xtdb/await-tx"] (await-tx node q)
      ["GET" "/_xtdb/tx-committed"] [200 {"txCommitted?" (xt/tx-committed? node {::xt/tx-id (number (q "tx-id"))})}]
      ["GET" "/_xtdb/latest-completed-tx"] (if-let [tx (xt/latest-completed-tx node)] [200 (camels tx)] [404 {:error "No latest-completed-tx found."}])
      ["GET" "/_xtdb/sync"] [200 {:txTime (xt/sync node (timeout q))}]
      ["POST" "/_xtdb/submit-tx"] (if (str/starts-with? content-type "application/json") (submit node body) [415 {:error "Content-Type"}])
      ["POST" "/_xtdb/query"] (if (str/starts-with? content-type "application/edn") (query node q body) [415 {:error "Content-Type"}])
      [404 {:error "not found"}])))

(defn handler [node]
  (reify HttpHandler
    (handle [_ x]
      (let [[status body]
            (try
              (route node (.getRequestMethod x) (.getPath (.getRequestURI x)) (query-params x) x)
              (catch xtdb.IllegalArgumentException e [400 {:error (.getMessage e)}])
              (catch xtdb.api.NodeOutOfSyncException e [400 {:error (.getMessage e)}])
              (catch clojure.lang.ExceptionInfo e [400 {:error (.getMessage e)}])
              (catch Throwable e [500 {:type "exception" :class (.getName (class e)) :message (.getMessage e)}]))
            bytes (.getBytes ^String (->json body) "UTF-8")]
        (.set (.getResponseHeaders x) "Content-Type" "application/json; charset=utf-8")
        (.sendResponseHeaders x status (alength bytes))
        (with-open [out (.getResponseBody x)] (.write out bytes))))))

(defn config [dir]
  (when dir
    (let [store (fn [kind] {:xtdb/module 'xtdb.rocksdb/->kv-store :db-dir (io/file dir kind)})]
      {:xtdb/tx-log {:kv-store (store "tx-log")}
       :xtdb/document-store {:kv-store (store "documents")}
       :xtdb/index-store {:kv-store (store "index")}})))

;; Without this each answer waits 40 ms for the client's acknowledgement.
(System/setProperty "sun.net.httpserver.nodelay" "true")

(let [[port dir] *command-line-args*
      node (xt/start-node (or (config dir) {}))
      server (HttpServer/create (InetSocketAddress. (InetAddress/getLoopbackAddress) (Integer/parseInt port)) 0)]
  (.createContext server "/" (handler node))
  (.setExecutor server (Executors/newFixedThreadPool 8))
  (.start server)
  (.addShutdownHook (Runtime/getRuntime) (Thread. (fn [] (.stop server 0) (.close node))))
  (println "listening on" (.getPort (.getAddress server)))
  (flush)
  @(promise))

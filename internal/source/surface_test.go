package source

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/lazyregexp"
	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// TestSurfaceOf: routes, tables and variables are named where code registers, makes and reads them, and nowhere else.
func TestSurfaceOf(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"src/quay.ts", "// process.env.OLD is gone\napp.get('/berths', list)\nconst p = process.env.QUAY_PORT ?? 1\nprocess.env.MODE = 'x'\nif (process.env['TIDE'] === 'low') {}\nconst s = \"process.env.IN_TEXT\"\n",
			"[{GET /berths 2 }] [] [{QUAY_PORT 3} {TIDE 5}]"},
		{"quay/app.py", "import os\n\nX = os.environ['CRANE']\nY = os.getenv(\"LOAD\", 3)\nos.environ['SET'] = '1'\ndel os.environ['GONE']\nclass B:\n    __tablename__ = 'berths'\n", "[] [{berths 8}] [{CRANE 3} {LOAD 4}]"},
		{"quay/main.go", "package quay\n\nfunc f() { _ = os.Getenv(\"HARBOUR\") } // os.Getenv(\"NOT\")\n\nconst q = `CREATE TABLE IF NOT EXISTS ropes (id int)`\n", "[] [{ropes 5}] [{HARBOUR 3}]"},
		{"db/one.sql", "-- create table gone (x int)\nCREATE TABLE winches (\n  id int);\ncreate table public.hooks (id int);\n", "[] [{winches 2} {public.hooks 4}] []"},
		{"src/lib.rs", "fn f() { std::env::var(\"MAST\").ok(); }\n", "[] [] [{MAST 1}]"},
		{"src/harbour.rs", "fn r() { Router::new().route(\"/berths\", get(all)) }\n\n// #[cfg(test)]\n#[cfg(test)]\nuse x::{a, b};\nfn f() { env::var(\"BOW\").ok(); }\n#[cfg(test)]\nmod tests {\n    fn r() { let s = \"}\"; Router::new().route(\"/gone\", get(all)); }\n    fn g() { env::var(\"GONE\").ok(); }\n}\nfn h() { env::var(\"MAST\").ok(); }\n",
			"[{GET /berths 1 all}] [] [{BOW 6} {MAST 12}]"},
		{"src/Sail.java", "class Sail { String s = System.getenv(\"SAIL\"); }\n", "[] [] [{SAIL 1}]"},
		{"sail.rb", "x = ENV['KEEL']\ny = ENV.fetch('BOW') { 1 }\n", "[] [] [{KEEL 1} {BOW 2}]"},
		{"keel.rb", "a if ENV.key?('KEEL')\nb unless ENV.include?(\"BOW\")\nENV.delete('GONE')\nenv['PATH_INFO']\n", "[] [] [{KEEL 1} {BOW 2}]"},
		{"lib/keel.ex", "a = System.get_env(\"KEEL\")\nb = System.fetch_env!(\"BOW\")\n", "[] [] [{KEEL 1} {BOW 2}]"},
		{"Keel.swift", "let a = ProcessInfo.processInfo.environment[\"KEEL\"]\n", "[] [] [{KEEL 1}]"},
		{"lib/keel.dart", "var a = Platform.environment['KEEL'];\nconst b = String.fromEnvironment('BOW');\n", "[] [] [{KEEL 1} {BOW 2}]"},
		{"src/keel.rs", "const A: &str = env!(\"KEEL\");\nlet b = option_env!(\"BOW\");\n", "[] [] [{KEEL 1} {BOW 2}]"},
		{"keel/env.go", "package keel\n\ntype Env struct {\n\tBow string `env:\"BOW\" json:\"bow\"`\n\tMast int `envconfig:\"MAST_LENGTH\" default:\"3\"`\n\tJib int `json:\"JIB\"`\n\t// Old string `env:\"OLD\"`\n}\n", "[] [] [{BOW 4} {MAST_LENGTH 5}]"},
		{"src/Keel.java", "class Keel {\n  @Value(\"${keel.depth:3}\") int depth;\n  @ConfigProperty(name = \"keel.bow\", defaultValue = \"x\")\n  String bow;\n  // @Value(\"${gone}\")\n}\n", "[] [] [{keel.depth 2} {keel.bow 3}]"},
		{"src/keel.service.ts", "const env = cleanEnv(process.env, {\n  KEEL_DEPTH: num({ default: 3 }),\n  // OLD: str(),\n  BOW: str(),\n  small: str()\n});\n", "[] [] [{KEEL_DEPTH 2} {BOW 4}]"},
		{"src/keels.ts", "const table = {\n  KEEL_DEPTH: 3,\n};\nconst a = process.env.BOW;\n", "[] [] [{BOW 4}]"},
		{"keel/settings.py", "class Keel(BaseSettings):\n    \"\"\"\n    OLD: gone\n    \"\"\"\n    KEEL_DEPTH: int = 3\n    BOW: str | None = None\n    model: int = 1\n", "[] [] [{KEEL_DEPTH 5} {BOW 6}]"},
		{"keel.pl", "my $a = $ENV{KEEL};\n", "[] [] [{KEEL 1}]"},
		{"Keel.hs", "a <- lookupEnv \"KEEL\"\n", "[] [] [{KEEL 1}]"},
		{"src/main/java/org/samples/Owners.java", "@Controller\n@RequestMapping({\"/owners/{id}\"})\nclass Owners {\n\t// @GetMapping(\"/gone\")\n\t@GetMapping(\"/new\")\n\tpublic String form() {\n\t\treturn go(1);\n\t}\n\t@ModelAttribute(\"x\")\n\tvoid model() {}\n\t@RequestMapping(\n\t\tvalue = {\"/a\", \"/b\"},\n\t\tmethod = RequestMethod.POST, produces = \"x/y\")\n\tpublic String save(@Valid Owner owner) {}\n\t@DeleteMapping\n\tvoid drop(int id) {}\n}\n",
			"[{GET /owners/{id}/new 5 form} {POST /owners/{id}/a 11 save} {POST /owners/{id}/b 11 save} {DELETE /owners/{id} 15 drop}] [] []"},
		{"src/Client.java", "@FeignClient(\"x\")\ninterface Client {\n@GetMapping(\"/y\")\nString y();\n}\n", "[] [] []"},
		{"src/Api.java", "interface Api {\n@GET(\"users/{id}\")\nCall<User> user();\n}\n", "[] [] []"},
		{"src/Ship.kt", "@Path(\"/ships\")\nclass Ship {\n  @GET\n  @Path(\"{id}\")\n  fun one(@PathParam(\"id\") id: Long): String = \"\"\n}\n", "[{GET /ships/{id} 3 one}] [] []"},
		{"src/BerthController.cs", "[ApiController, Route(\"no\")]\n[Route(\"api/[controller]\")]\npublic class BerthController : ControllerBase\n{\n  [HttpGet]\n  public async Task<ActionResult<List<Berth>>> All() => Ok();\n\n  [Authorize][HttpPut(\"{id:int}\", Name = \"x\")]\n  public object Put(int id) {}\n  [HttpGet(\"/health\")] public string Health() => \"\";\n}\n",
			"[{GET /api/Berth 5 All} {PUT /api/Berth/{id:int} 8 Put} {GET /health 10 Health}] [] []"},
		{"src/Create.cs", "public class Create(IMediator m) : Endpoint<CreateRequest, CreateResponse>\n{\n  public override void Configure()\n  {\n    Post(CreateRequest.Route);\n    AllowAnonymous();\n  }\n}\npublic class CreateRequest { public const string Route = \"/Ships\"; }\n", "[{POST /Ships 5 Create}] [] []"},
		{"src/cats.controller.ts", "@Controller('cats')\nexport class CatsController {\n  @Get()\n  async findAll(@Query() q) {}\n\n  @Post(':id/paws')\n  paw() {}\n}\n", "[{GET /cats 3 findAll} {POST /cats/:id/paws 6 paw}] [] []"},
		{"routes/web.php", "<?php\nuse App\\Berth as B;\n\nRoute::get('/berths', [B\\BerthController::class, 'index']);\nRoute::middleware('auth')->group(function () {\n    Route::post('berths/{id}', 'Quay\\Berths@store');\n    $client->get('/no');\n    $x = env('PIER', 1) . $app->env('NO');\n});\n",
			"[{GET /berths 4 BerthController::index} {POST berths/{id} 6 Berths@store}] [] [{PIER 8}]"},
		{"config/quay.php", "<?php\n/* Do not edit this file unless you keep it. */\nreturn ['pier' => env(\"PIER\")];\n", "[] [] [{PIER 3}]"},
		{"src/app.php", "<?php\n$app->get('/berths', Berths::class);\n$app->group('/quays', function ($group) {\n    $group->put('/{id}', Quays::class . ':put');\n});\n", "[{GET /berths 2 Berths} {PUT /quays/{id} 4 Quays}] [] []"},
		{"src/axum.rs", "fn r() -> Router {\n    Router::new()\n        .route(\n            \"/ships/{id}\",\n            get(|| async { c.get(\"x\") }).delete(drop),\n        )\n        .route(\"/any\", inner)\n        .nest(\"/v2\", Router::new().route(\"/\", put(low)))\n}\n", "[{GET,DELETE /ships/{id} 3 drop} {ANY /any 7 } {PUT /v2 8 low}] [] []"},
		{"src/actix.rs", "#[get(\"/{id}\")]\n#[instrument]\npub async fn one(id: u32) -> R {}\n#[actix_web::route(\"/any\", method = \"GET\", method = \"HEAD\")]\nfn any() {}\nfn c(cfg: &mut web::ServiceConfig) {\n    cfg.service(web::scope(\"/v1\").route(\"/tide\", web::get().to(tide)).service(web::resource(\"/ropes\").route(web::get().to(a::rope)).route(web::delete().to(cut))));\n}\n", "[{GET /{id} 1 one} {GET,HEAD /any 4 any} {GET /v1/tide 7 tide} {GET,DELETE /v1/ropes 7 a::rope}] [] []"},
		{"routes/more.php", "<?php\nRoute::apiResource('ships', ShipController::class);\nRoute::prefix('quay')->group(function () {\n    Route::resource('ships.ropes', \\App\\RopeController::class)->only(['index']);\n    Route::middleware('auth')->resource('piers', PierController::class);\n});\nRoute::match(['get', 'post'], '/tide', [TideController::class, 'low']);\nRoute::view('/', 'home');\n// Route::any('/gone', X::class);\nRoute::apiResources(['crew' => CrewController::class,\n    'boats' => B\\BoatController::class]);\n$query->where('x')->resource('no');\n",
			"[{ANY /ships 2 ShipController} {ANY /quay/ships/{id}/ropes 4 RopeController} {ANY /quay/piers 5 PierController} {GET,POST /tide 7 TideController::low} {GET / 8 } {ANY /crew 10 CrewController} {ANY /boats 10 BoatController}] [] []"},
		{"src/Ktor.kt", "import io.ktor.server.routing.*\nfun Application.m() {\n  routing {\n    route(\"/ships\") {\n      get { call.respond(1) }\n      post(\"{id?}\") { x() }\n      authenticate(\"a\") { put<Ship>(\"/tide\") {\n      } }\n    }\n    webSocket(\"/ws\") {\n    }\n  }\n}\nval a: Int\n  get() { return 1 }\n", "[{GET /ships 5 } {POST /ships/{id?} 6 } {PUT /ships/tide 7 } {WS /ws 10 }] [] []"},
		{"lib/grape.rb", "class Quay < Grape::API\n  namespace :quay do\n    get do\n    end\n    route_param :id do\n      get :ropes do\n      end\n      post 'tide', auth: 1 do\n      end\n    end\n  end\nend\n", "[{GET /quay 3 } {GET /quay/:id/ropes 6 }] [] []"},
		{"lib/space.rb", "class Quay < Sinatra::Base\n  namespace '/quay' do\n    get '/ships' do\n    end\n  end\n  get '/' do\n  end\n  get :x do\n  end\nend\n", "[{GET /quay/ships 3 } {GET / 6 }] [] []"},
		{"quay/flask.py", "@bp.route('/a', methods=('GET', 'POST'))\ndef a(): ...\n@app.api_route(\"/b\", methods=[\"HEAD\"])\ndef b(): ...\n@app.websocket(\"/ws\")\ndef c(): ...\n", "[{GET,POST /a 1 } {HEAD /b 3 } {WS /ws 5 }] [] []"},
		{"quay/mux.go", "package quay\n\nfunc f(r *mux.Router) {\n\tr.HandleFunc(base+\"/ships/{id}\", s.one).Methods(http.MethodGet, \"HEAD\")\n\tr.HandleFunc(base + \"/\", s.all).Methods(\"GET\")\n\tr.HandleFunc(\"/x\", x)\n\tr.HandleFunc(base, y)\n}\n", "[{GET,HEAD …/ships/{id} 4 } {GET …/ 5 } {ANY /x 6 }] [] []"},
		{"src/base.ts", "app.get(`${BASE}/a`, a)\napp.post(BASE + '/b', b)\n", "[{GET …/a 1 } {POST …/b 2 }] [] []"},
		{"quay/base.py", "@app.get(f\"{BASE}/a/{id}\")\ndef a(): ...\n@app.get(\"/b\")\ndef b(): ...\n@app.get(BASE)\ndef c(): ...\n", "[{GET …/a/{id} 1 } {GET /b 3 }] [] []"},
		{"quay/pyramid.py", "def includeme(config):\n    config.add_route(\"index\", \"/\", domain=warehouse)\n    config.add_route(\n        \"accounts.profile\",\n        \"/user/{username}/\",\n        factory=\"x\",\n    )\n    config.add_view(index, route_name=\"index\")\n", "[{ANY / 2 } {ANY /user/{username}/ 5 }] [] []"},
		{"quay/aio.py", "from aiohttp import web\nroutes = web.RouteTableDef()\n@routes.get(\"/table\")\nasync def table(request): ...\ndef setup(app):\n    app.router.add_get(\"/health\", health)\n    app.router.add_route(\"POST\", \"/submit\", submit)\n    app.add_routes([web.get(\"/list\", lister), web.post(\"/make\", maker), web.view(\"/v\", View)])\n", "[{GET /table 3 } {GET /health 6 health} {POST /submit 7 submit} {GET /list 8 lister} {POST /make 8 maker} {ANY /v 8 View}] [] []"},
		{"quay/starlette.py", "from starlette.routing import Route, Mount, WebSocketRoute\nroutes = [\n    Route(\"/\", endpoint=home),\n    Route(\"/user/{id:int}\", user, methods=[\"GET\", \"POST\"]),\n    Mount(\"/admin\", routes=[Route(\"/stats\", stats)]),\n    WebSocketRoute(\"/ws\", ws),\n]\n", "[{ANY / 3 home} {GET,POST /user/{id:int} 4 user} {ANY /admin/stats 5 stats} {WS /ws 6 ws}] [] []"},
		{"quay/litestar.py", "from litestar import get, post, Controller\n@get(\"/books/{book_id:int}\")\nasync def get_book(book_id: int) -> dict: ...\nclass UserController(Controller):\n    path = \"/users\"\n    @post()\n    async def create(self): ...\n    @get(\"/{id:int}\")\n    async def one(self): ...\n", "[{GET /books/{book_id:int} 2 get_book} {POST /users 6 create} {GET /users/{id:int} 8 one}] [] []"},
		{"quay/torn.py", "import tornado.web\ndef make_app():\n    return tornado.web.Application([\n        (r\"/\", MainHandler),\n        (r\"/story/([0-9]+)\", StoryHandler, dict(db=db)),\n        url(r\"/named\", Named, name=\"n\"),\n    ])\n", "[{ANY / 4 MainHandler} {ANY /story/([0-9]+) 5 StoryHandler} {ANY /named 6 Named}] [] []"},
		{"quay/falcon.py", "import falcon\napp = falcon.App()\napp.add_route(\"/things/{id}\", ThingResource())\n", "[{ANY /things/{id} 3 ThingResource}] [] []"},
		{"src/App.tsx", "import { Routes, Route, createBrowserRouter } from 'react-router-dom';\nexport const router = createBrowserRouter([\n  { path: '/', element: <Root />, children: [\n    { path: 'users/:id', element: <User />, loader: userLoader },\n    { index: true, element: <Home /> },\n  ] },\n  { path: '/login', lazy: () => import('./Login') },\n]);\nexport function App() {\n  return (\n    <Routes>\n      <Route path=\"/settings\" element={<Settings />}>\n        <Route path=\"profile\" element={<Profile />} />\n      </Route>\n      <Route path=\"*\" element={<NotFound />} />\n    </Routes>\n  );\n}\n", "[{ANY / 3 Root} {ANY /users/:id 4 User} {ANY /login 7 Login} {ANY /settings 12 Settings} {ANY /settings/profile 13 Profile} {ANY /* 15 NotFound}] [] []"},
		{"src/vueRouter.ts", "import { createRouter } from 'vue-router'\nimport Home from './Home.vue'\nconst routes = [\n  { path: '/', name: 'home', component: Home },\n  { path: '/users/:id', component: () => import('./User.vue'), children: [\n    { path: 'posts', component: Posts },\n  ] },\n]\nexport default createRouter({ routes })\n", "[{ANY / 4 Home} {ANY /users/:id 5 User.vue} {ANY /users/:id/posts 6 Posts}] [] []"},
		{"src/app.routes.ts", "import { Routes } from '@angular/router';\nexport const routes: Routes = [\n  { path: '', component: HomeComponent },\n  { path: 'heroes/:id', component: HeroComponent, canActivate: [auth] },\n  { path: 'admin', loadChildren: () => import('./admin/admin.routes').then(m => m.routes) },\n];\n", "[{ANY / 3 HomeComponent} {ANY /heroes/:id 4 HeroComponent} {ANY /admin 5 admin.routes}] [] []"},
		{"src/BlogController.php", "<?php\nnamespace App\\Controller;\nuse Symfony\\Component\\Routing\\Attribute\\Route;\n#[Route('/blog', name: 'blog_')]\nclass BlogController extends AbstractController\n{\n    #[Route('/{page<\\d+>}', name: 'list', methods: ['GET'])]\n    public function list(int $page): Response {}\n    #[Route(path: '/post', name: 'add', methods: ['POST', 'PUT'])]\n    public function add(): Response {}\n    /**\n     * @Route(\"/old\", name=\"old\")\n     */\n    public function old() {}\n}\n", "[{GET /blog/{page<\\d+>} 7 list} {POST,PUT /blog/post 9 add} {ANY /blog/old 12 old}] [] []"},
		{"src/plugin.php", "<?php\nadd_action('rest_api_init', function () {\n  register_rest_route('shop/v1', '/cart/(?P<id>\\d+)', ['methods' => 'GET', 'callback' => 'cart']);\n});\n", "[{ANY /shop/v1/cart/<id> 3 }] [] []"},
		{"src/Javalin.java", "import io.javalin.Javalin;\npublic class Main {\n  public static void main(String[] a) {\n    Javalin app = Javalin.create();\n    app.get(\"/hello\", ctx -> ctx.result(\"x\"));\n    app.post(\"/users/{id}\", Users::create);\n    router.get(\"/vertx\").handler(this::x); client.get(\"/no\");\n  }\n}\n", "[{GET /hello 5 } {POST /users/{id} 6 Users::create} {GET /vertx 7 }] [] []"},
		{"Sources/App/routes.swift", "import Vapor\nfunc routes(_ app: Application) throws {\n    app.get(\"hello\", \":name\") { req in \"x\" }\n    let api = app.grouped(\"api\", \"v1\")\n    api.post(\"todos\", use: create)\n    app.get { req in \"root\" }\n}\n", "[{GET /hello/:name 3 } {POST /api/v1/todos 5 create} {GET / 6 }] [] []"},
		{"lib/shelf.dart", "import 'package:shelf_router/shelf_router.dart';\nfinal router = Router()\n  ..get('/hello', hello)\n  ..post('/echo/<msg>', echo);\nvoid f() { app.mount('/api/', Api().router); app.get('/ping', ping); }\n", "[{GET /hello 3 hello} {POST /echo/<msg> 4 echo} {GET /ping 5 ping}] [] []"},
		{"src/Http4s.scala", "object Api {\n  val routes = HttpRoutes.of[IO] {\n    case GET -> Root / \"hello\" / name => Ok(name)\n    case req @ POST -> Root / \"users\" => Ok()\n  }\n}\n", "[{GET /hello/{name} 3 } {POST /users 4 }] [] []"},
		{"src/crow.cpp", "#include \"crow.h\"\nint main() {\n  CROW_ROUTE(app, \"/add/<int>\")([](int a) { return a; });\n  svr.Get(\"/hi\", [](const httplib::Request&, httplib::Response& res) {});\n  cli.Get(\"/no\", headers);\n}\n", "[{ANY /add/<int> 3 } {GET /hi 4 }] [] []"},
		{"quay/chi.go", "package main\nfunc main() {\n\tr.Mount(\"/api\", apiRouter())\n\tmux.Handle(\"POST /items/{id}\", h)\n\thttp.HandleFunc(\"/x\", x)\n}\nfunc apiRouter() http.Handler {\n\tr := chi.NewRouter()\n\tr.Get(\"/pets\", pets)\n\tr.With(auth).Post(\"/pets\", add)\n\treturn r\n}\n", "[{POST /items/{id} 4 } {ANY /x 5 } {GET /pets 9 } {POST /pets 10 }] [] []"},
		{"src/edge.ts", "const app = new Hono<Env>().basePath('/edge')\napp.get('/x', one)\n", "[{GET /edge/x 2 }] [] []"},
		{"src/lib3.rs", "fn f() { env!(\"CARGO_PKG_NAME\"); env::var(\"OUT_DIR\"); env::var(\"CARGO_HOME\"); }\n", "[] [] [{CARGO_HOME 1}]"},
		{"src/lib2.rs", "fn f() { Command::new(\"x\").env(\"MAST\", \"1\"); }\n", "[] [] []"},
		{"quay/routes.go", "package quay\n\nfunc a(r *gin.Engine) {\n\tapi := r.Group(\"/api\")\n\tapi.GET(\"/ships\", list)\n\tsub := api.Group(\"/v1\", auth)\n\t{\n\t\tsub.POST(\"/ropes\", add)\n\t}\n}\n\nfunc b(api *gin.RouterGroup) {\n\tapi.GET(\"/tide\", tide)\n}\n\nfunc c(r chi.Router) {\n\tr.Route(\"/piers\", func(r chi.Router) {\n\t\tr.Get(\"/\", piers)\n\t\tr.Route(\"/{id}\", func(r chi.Router) {\n\t\t\tr.Delete(\"/\", drop)\n\t\t})\n\t})\n\tr.Get(\"/x\", x)\n}\n", "[{GET /api/ships 5 } {POST /api/v1/ropes 8 } {GET /tide 13 } {GET /piers 18 } {DELETE /piers/{id} 20 } {GET /x 23 }] [] []"},
		{"src/Program.cs", "var api = app.MapGroup(\"/api\");\napi.MapGet(\"/ships\", () => list);\nvar v1 = api.MapGroup(\"v1\").RequireAuthorization();\nv1.MapPost(\"/ropes\", Make);\napp.MapGet(\"/x\", X);\n", "[{GET /api/ships 2 } {POST /api/v1/ropes 4 } {GET /x 5 }] [] []"},
		{"routes/api.php", "<?php\nRoute::prefix('v1')->middleware('auth')->group(function () {\n    Route::get('/ships', [A::class, 'all']);\n    Route::group(['middleware' => 'x', 'prefix' => 'admin'], function () {\n        Route::post('ropes', 'B@add');\n    });\n    Route::prefix($x)->group(function () {\n        Route::get('/tide', C::class);\n    });\n});\nRoute::get('/x', D::class);\n", "[{GET /v1/ships 3 A::all} {POST /v1/admin/ropes 5 B@add} {GET /v1/…/tide 8 C} {GET /x 11 D}] [] []"},
		{"quay/rest/urls.py", "router = DefaultRouter()\nrouter.register(r\"ships\", ShipViewSet)\nrouter.register('ropes/long', views.RopeViewSet, basename='x')\nurlpatterns = [\n    path(\"api/\", include(router.urls)),\n    path('v2/', include([*more.urls])),\n]\nmore.register('tide', views.Tide)\n", "[{ANY api/ships/ 2 ShipViewSet} {ANY api/ropes/long/ 3 views.RopeViewSet} {ANY v2/tide/ 8 views.Tide}] [] []"},
		{"quay/inner/urls.py", "urlpatterns = [\n    re_path(r\"^api/\", include([\n        re_path(\"^ships/\", include(([\n            re_path(r\"^(?P<pk>\\d+)/$\", views.ship),\n            path(\"all/\", views.all, {\"a\": [1]}),\n        ], \"ships\"))),\n        path(\"tide/\", views.tide),\n    ])),\n    path(\"x/\", views.x),\n]\n", "[{ANY api/ships/<pk>/ 4 views.ship} {ANY api/ships/all/ 5 views.all} {ANY api/tide/ 7 views.tide} {ANY x/ 9 views.x}] [] []"},
		{"quay/urls.py", "from quay import views\n\napi = [\n    path(\"ships/<int:id>/\", views.ship),\n    path(\n        \"berths/\",\n        views.berths,\n    ),\n    # path(\"gone/\", views.gone),\n]\nurlpatterns = [re_path(r\"^pier$\", Pier.as_view()), path(\"api/\", include(api))]\n",
			"[{ANY ships/<int:id>/ 4 views.ship} {ANY berths/ 6 views.berths} {ANY pier 11 Pier.as_view}] [] []"},
		{"lib/quay_web/router.ex", "defmodule QuayWeb.Router do\n  use QuayWeb, :router\n\n  scope \"/public\", QuayWeb do\n    pipe_through :browser\n    get \"/health\", HealthController, :index\n    # get \"/gone\", X, :y\n    scope \"/v1\" do\n      resources \"/ships\", ShipController\n    end\n  end\n\n  live_session :x do\n    scope host: \"a.\" do\n      live \"/tide\", TideLive\n    end\n  end\n  get \"/\", Home, :page\nend\n",
			"[{GET /public/health 6 HealthController} {ANY /public/v1/ships 9 ShipController} {GET /…/tide 15 TideLive} {GET / 18 Home}] [] []"},
		{"lib/quay_client.ex", "defmodule Quay.Client do\n  def ships(c) do\n    get \"/ships\", c\n  end\nend\n", "[] [] []"},
		{"lib/quay/application.rb", "class Quay\n  get \"/ships\" do\n    erb :ships\n  end\n  post('/ships/:id') do |c|\n  end\n  get \"/rope\", to: x\nend\n", "[{GET /ships 2 } {POST /ships/:id 5 }] [] []"},
		{"config/routes.rb", "Rails.application.routes.draw do\n  root to: \"home#index\",\n    as: \"root\"\n  get \"/tides\" => \"tides#index\", :as => \"t\"\n  # get \"/gone\" => \"x#y\"\n  resources :ships, only: [:index] do\n    member do\n      post :sail\n    end\n    get :wrecks, on: :collection\n    resources :ropes\n  end\n  namespace :admin do\n    match 'berths/:id', via: :all, to: 'berths#show'\n  end\n  scope module: :x do\n    resource :pier\n  end\n  scope \"/v1\", module: :y do\n    delete \"keel\", to: \"keels#drop\"\n  end\n  mount Quay::Engine => \"/quay\"\nend\n",
			"[{GET / 2 home#index} {GET /tides 4 tides#index} {ANY /ships 6 } {POST /ships/:id/sail 8 } {GET /ships/wrecks 10 } {ANY /ships/:id/ropes 11 } {ANY /admin/berths/:id 14 berths#show} {ANY /pier 17 } {DELETE /v1/keel 20 keels#drop} {ANY /quay 22 }] [] []"},
		{"lib/quay.ex", "a = System.get_env(\"QUAY_TIDE\")\nb = System.fetch_env!(\"QUAY_BOW\")\nc = Config.port!(\"QUAY_PORT\")\nd = Config.port!(\"KEEL_PORT\")\n# port!(\"QUAY_GONE\")\n", "[] [] [{QUAY_TIDE 1} {QUAY_BOW 2} {QUAY_PORT 3}]"},
		{"quay/env.go", "package quay\n\nconst (\n\tPathVar = \"QUAY_PATH\" // where\n\tKind = \"SHIP\"\n)\n\nvar p = os.Getenv(PathVar)\n", "[] [] [{QUAY_PATH 4}]"},
		{"src/env.rs", "const TIDE: &str = \"QUAY_TIDE\";\nfn f() { std::env::var(TIDE); }\n", "[] [] [{QUAY_TIDE 1}]"},
		{"quay/paths.py", "p = path(\"a/b\", views)\n", "[] [] []"},
		{"src/pier.ts", "const a = import.meta.env.DEV\nconst b = import.meta.env.BASE_URL\nconst c = import.meta.env.VITE_PIER\n", "[] [] [{VITE_PIER 3}]"},
		{"apps/web/app/api/(ships)/[id]/@crew/route.ts", "import x from 'x';\n/*\nexport function PUT() {}\n*/\nexport async function GET(r: Request) {}\nexport const POST = guard(save);\nconst DELETE = 1;\n", "[{GET /api/[id] 5 } {POST /api/[id] 6 }] [] []"},
		{"src/app/route.js", "export const { GET, POST } = handlers;\nexport {\n  drop as DELETE,\n  x as PUT\n};\n", "[{GET / 1 } {POST / 1 } {DELETE / 3 } {PUT / 4 }] [] []"},
		{"src/routes/(app)/berths/[slug]/+server.ts", "export const PATCH: RequestHandler = async () => {}\n", "[{PATCH /berths/[slug] 1 }] [] []"},
		{"src/pages/api/ships/index.ts", "\nexport default function handler(req, res) {}\n", "[{ANY /api/ships 2 }] [] []"},
		{"src/pages/api/tide.ts", "export const GET: APIRoute = () => {};\n", "[{GET /api/tide 1 }] [] []"},
		{"server/api/cart/[id].post.ts", "export default defineEventHandler(async (e) => {});\n", "[{POST /api/cart/[id] 1 }] [] []"},
		{"server/routes/feed.ts", "export default eventHandler(() => 1)\n", "[{ANY /feed 1 }] [] []"},
		{"server/api/helper.ts", "export default function () {}\n", "[] [] []"},
		{"src/app/page.tsx", "export default function Page() {}\n", "[] [] []"},
		{"src/route.ts", "export function GET() {}\n", "[] [] []"},
		{"src/Quay.scala", "class Quay {\n  get(\"/:ship/ropes\")(crewOnly {\n    val x = cache.get(\"/gone\") {\n  })\n  post(\"/sail\", form) { f =>\n  }\n}\n", "[{GET /:ship/ropes 2 } {POST /sail 5 }] [] []"},
		{"src/Quay.kt", "fun Application.quay() = routing {\n    get(\"/ships\") {\n    }\n    client.get(\"/gone\") {\n    }\n    val tide = get(\"/gone\")\n}\n", "[{GET /ships 2 }] [] []"},
		{"quay/ships.py", "router = api.CrewRouter(\n    tags=[\"x\"],\n    prefix=\"/ships\",\n)\nplain = APIRouter()\n\n@router.get(\"/{id}\")\ndef one(): ...\n\n@router.get(\"/\")\ndef all(): ...\n\n@plain.post(\"/sail\")\ndef sail(): ...\n", "[{GET /ships/{id} 7 } {GET /ships 10 } {POST /sail 13 }] [] []"},
		{"src/ships.js", "const router = new Router({\n  prefix: '/ships',\n})\nconst api = new Router()\napi.prefix('/v1')\nrouter.get('/:id', one)\nrouter.post('/', all)\napi.get('/x', x)\n", "[{GET /ships/:id 6 } {POST /ships 7 } {GET /v1/x 8 }] [] []"},
		{"src/calls.ts", "router.post(\n  'ships.info',\n  auth(),\n  one\n)\nrouter.post(\"ships.crew.add\", two)\ncache.get('gone.away')\nrouter.get('gone')\nconst a = await api.get('/gone')\nfetchApi.put('/gone', b)\n", "[{POST ships.info 1 } {POST ships.crew.add 6 }] [] []"},
		{"src/plugin.ts", "fastify.get(\n  '/:id',\n  { schema },\n  one\n)\nserver.route({\n  method: 'POST',\n  path: '/sail',\n  handler: sail\n})\nfastify.route({ url: '/x', method: 'PUT' })\ncache.get(\n  '/gone'\n)\n", "[{GET /:id 1 } {POST /sail 6 } {PUT /x 11 }] [] []"},
		{"db/schema.rb", "# This file is auto-generated from the current state of the database.\nActiveRecord::Schema[8.0].define(version: 1) do\n  create_table \"berths\", force: :cascade do |t|\n    t.string \"x\"\n  end\n  # create_table \"gone\"\n  create_table :ropes\nend\n", "[] [{berths 3} {ropes 7}] []"},
		{"app/models/pier.rb", "class Pier < ApplicationRecord\n  self.table_name = 'old_piers'\nend\n", "[] [{old_piers 2}] []"},
		{"priv/repo/migrations/1_a.exs", "def change do\n  create table(:berths) do\n  end\n  alter table(:ropes) do\nend\n", "[] [{berths 2}] []"},
		{"lib/quay/berth.ex", "use Ecto.Schema\nschema \"berths\" do\nend\n", "[] [{berths 2}] []"},
		{"alembic/versions/a1.py", "def upgrade():\n    op.create_table(\n        'berths',\n    )\n\nropes = sa.Table(\"ropes\", metadata)\nclass Meta:\n    db_table = \"piers\"\n", "[] [{berths 2} {ropes 6} {piers 8}] []"},
		{"database/migrations/2024_01_01_000000_a.php", "<?php\nSchema::create('berths', function (Blueprint $t) {});\nSchema::table('ropes', fn () => 1);\n", "[] [{berths 2}] []"},
		{"src/Entity/Pier.php", "<?php\n#[ORM\\Table(name: 'piers')]\nclass Pier { protected $table = 'old'; }\n", "[] [{old 3} {piers 2}] []"},
		{"src/db.ts", "export const berths = pgTable('berths', {});\nawait knex.schema.createTable('ropes', t => {});\n@Entity({ name: 'piers' })\nclass Pier {}\n", "[] [{berths 1} {ropes 2} {piers 3}] []"},
		{"src/Tables.kt", "object Berths : IntIdTable(\"berths\") {}\n@Entity(tableName = \"ropes\")\nclass Rope\n", "[] [{berths 1} {ropes 2}] []"},
		{"Data/QuayModelSnapshot.cs", "// <auto-generated />\nb.ToTable(\"Berths\", (string)null);\n", "[] [{Berths 2}] []"},
		{"src/made.g.cs", "// <auto-generated />\nb.ToTable(\"Berths\");\n", "[] [] []"},
		{"src/schema.rs", "// @generated automatically by Diesel CLI.\n\ndiesel::table! {\n    use diesel::sql_types::*;\n    berths (id) {\n    }\n}\n", "[] [{berths 3}] []"},
		{"quay/pier.go", "package quay\n\nfunc (Pier) TableName() string { return \"piers\" }\n", "[] [{piers 3}] []"},
		{"prisma/schema.prisma", "// model Gone {}\nmodel Berth {\n  id Int @id\n}\n", "[] [{Berth 2}] []"},
		{"src/quay.test.ts", "process.env.NEVER\n", "[] [] []"},
	} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path = c.path
		f.Type, f.Category = scan.Classify(c.path)
		s := SurfaceOf(f, []byte(c.text))
		if got := fmt.Sprint(s.Routes, s.Tables, s.Variables); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
}

// What a script of SQL drops is noted, and what it renames has its new name; how a step is taken back says nothing.
func TestDropped(t *testing.T) {
	f := &scan.File{Encoding: text.UTF8}
	f.Path = "db/migrations/0007_ropes.sql"
	f.Type, f.Category = scan.Classify(f.Path)
	s := SurfaceOf(f, []byte("CREATE TABLE \"new_ropes\" (id int);\n-- DROP TABLE ships;\nDROP TABLE IF EXISTS \"ropes\";\nALTER TABLE \"new_ropes\" RENAME TO \"ropes\";\n-- +goose Down\ndrop table new_ropes;\n"))
	if got, want := fmt.Sprint(s.Tables, s.Dropped), "[{new_ropes 1} {ropes 4}] [{ropes 3} {new_ropes 4}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What is looked for around hints alone is what is found in the whole text.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	pieces := []string{"process.env.A_B ", "\n", "x.env ", "CREATE TABLE IF NOT EXISTS users (\n", "create table\n  t (", "TABLE ", "__tablename__ = 'b'", "os.environ[\n  'C']",
		"os.environ.get(\"D\")", "ENV.fetch('E')", strings.Repeat("w", 300), strings.Repeat("a b\n", 90), "MYENV['F']", "ENV['G']", "ENV.key?('J')", "$ENV{K}", "lookupEnv \"L\"", "env!(\"M\")", "fetch_env!(\"N\")", "@Table(name = \"h\")", "import.meta.env['I']",
		"Deno.env.get('J')", "std::env::var_os(\"K\")", "os.LookupEnv(\"L\")", "Environment.GetEnvironmentVariable(\"M\")", "$_ENV['N']", "environment ", "getenv ( ", "os.Getenv('P')", "os.Getenv(P)", "os.environ[Q]",
		"createTable(\n", "'l'", "@Entity({\n name: \"m\"", "pgTable('n'", "Schema::create(\n 'o'", "create_table :p", "protected $table = 'q'", "DROP TABLE r", "alter table s\nrename to t"}
	for range 2000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		text := []byte(b.String())
		for _, c := range []struct {
			re    *lazyregexp.Regexp
			hints [][]byte
		}{{readsVariable, variableHints}, {readsConstant, variableHints}, {createsTable, tableHints}, {mapsTable, mapHints}, {dropsTable, dropHints}, {scriptTables.names, scriptTables.hints}, {tableForms["PHP"].names, tableForms["PHP"].hints}, {tableForms["Ruby"].names, tableForms["Ruby"].hints}} {
			want, got := c.re.FindAllSubmatchIndex(text, -1), near(c.re, text, c.hints)
			if fmt.Sprint(want) != fmt.Sprint(got) {
				t.Fatalf("%q: %v, want %v", text, got, want)
			}
		}
	}
}

// Each hint of a variable holds a word that is looked for before them all.
func TestVariablesAreOfEnvironments(t *testing.T) {
	for _, hint := range variableHints {
		if !holdsAny(hint, environments) {
			t.Errorf("%q holds none of %q", hint, environments)
		}
	}
}

// A text without a string that begins as a route's does is not read for routes.
func TestMayRoute(t *testing.T) {
	for text, want := range map[string]bool{
		`r.Get("/users", h)`: true, `r.Handle('/a')`: true, "r.Handle(`/a`)": true, `mux.Handle("GET /a", h)`: true, "mux.Handle(\"POST  \t/a\", h)": true,
		``: false, `/`: false, `a / b`: false, `x := 1 // "quoted"`: false, `"get it / leave it"`: false, `GET /a`: false, `"XGET /a"`: false, `"see a/b"`: false,
		`"GETGETGETGETGETGET /a"`: false, ` /`: false,
	} {
		if got := mayRoute([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Words that are like those of the expressions are no hints: most texts hold them, and would be looked at for nothing.
func TestHintsAreRare(t *testing.T) {
	for _, said := range []string{"the environment of a server", "read from .env.local", "ENVIRONMENT", "NODE_ENV", "config.env.port"} {
		if holdsAny([]byte(said), variableHints) {
			t.Errorf("%q is a hint", said)
		}
	}
}

func TestPairs(t *testing.T) {
	text := []byte("func main() { os.Getenv(\"QUAY_HOME\") }\x00\xff\xfe")
	var held pairs
	held.note(text)
	for from := range text {
		for to := from; to <= len(text); to++ {
			if !held.anyOf(text, [][]byte{[]byte("absent"), text[from:to]}) {
				t.Errorf("%q is not found", text[from:to])
			}
		}
	}
	for _, absent := range []string{"getenv", "HOME_", "mainfunc", "\xff\xff", "x"} {
		if held.anyOf(text, [][]byte{[]byte(absent)}) {
			t.Errorf("%q is found", absent)
		}
	}
	(&pairs{}).note(nil)
}

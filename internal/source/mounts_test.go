package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/haversack-dev/haversack/internal/scan"
	"github.com/haversack-dev/haversack/internal/text"
)

// A router is mounted by the name that it is imported by, below a beginning that is a plain text; what is none is unknown.
func TestMounts(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"app/main.py", "from .routers import ships, berths as moorings # two\nfrom app.crew import (\n    router as crew,  # a\n    other,\n)\nimport app.tide as tide\n\napp.include_router(ships.router, prefix=\"/ships\", dependencies=[Depends(x)])\napp.include_router(moorings.router, prefix=f\"/{v}\")\napp.include_router(crew)\napp.include_router(tide.low, prefix=settings.API)\n# app.include_router(gone)\n",
			"[{/ships false .routers.ships router false app} { true .routers.berths router false app} { false app.crew router false app} { true app.tide low false app}] []"},
		{"app/api.py", "from . import ships\nrouter = APIRouter(prefix=\"/v1\")\nlocal = APIRouter()\nrouter.include_router(ships.router, prefix=\"/s\")\nrouter.include_router(local)\n\n@local.get(\"/x\")\ndef x(): ...\n",
			"[{/v1/s false .ships router false router} {/v1 false  local false router}] [local]"},
		{"quay/pages.py", "from quay.ships import bp\nown = Blueprint('x', url_prefix='/own')\napp.register_blueprint(bp, url_prefix='/ships')\n\n@own.get('/x')\ndef x(): ...\n",
			"[{/ships false quay.ships bp false app}] [-]"},
		{"quay/urls.py", "from ships import urls as ships\nfrom . import crew\nparts = [\n    path(\"a/\", views.a),\n]\nurlpatterns = [\n    path(\"parts/\", include(parts)),\n    path('ships/', include(ships)),\n    path('crew/', include(crew, namespace=\"c\")),\n    re_path(r'^tide/', include(('quay.tide.urls', 'tide'))),\n    path('x/', views.x),\n]\n",
			"[{parts/ false  parts false } {ships/ false ships.urls  false } {crew/ false .crew  false } {^tide/ false quay.tide.urls  true }] [parts ]"},
		{"quay/urls2.py", "urlpatterns = i18n_patterns(path('a/', include('b.urls')))\n", "[{a/ true b.urls  true }] []"},
		{"src/app.js", "const express = require('express')\nconst ships = require('./routes/ships')\nconst { crew, tide: low } = require('./routes')\nconst app = express()\napp.use(express.json())\napp.use('/ships', guard({ a: 1 }), ships)\napp.use('/crew/', crew)\napp.use(low)\napp.use(`/${v}`, low)\napp.use('/berths', require('./berths').router)\nrouter.route('/x').get(y)\n",
			"[{/ships false ./routes/ships  false -app} {/crew false ./routes crew false -app} { false ./routes tide false -app} { true ./routes tide false -app} {/berths false ./berths router false -app}] [-router]"},
		{"src/routes/ships.ts", "import { Router } from 'express'\nimport crew, { tide } from '../crew.js'\nconst router = Router()\nexport const otherRouter = Router()\nrouter.use('/:id/crew', crew)\nrouter.get('/a', a)\notherRouter.get('/b', b)\ninnerRouter.get('/c', c)\nexport default router\n",
			"[{/:id/crew false ../crew.js  false }] [ otherRouter -innerRouter]"},
		{"src/server.js", "import Fastify from 'fastify'\nimport crew from './routes/crew.js'\nimport { tide as low } from './tide.js'\nconst app = Fastify()\napp.register(crew, { prefix: '/crew' })\napp.register(require('./routes/ships'), { prefix: '/ships/', logLevel: 'x' })\n" +
			"await app.register(low)\napp.register(low, { prefix: base })\napp.register(async (one) => { one.get('/in', x) }, { prefix: '/v1' })\n",
			"[{/crew false ./routes/crew.js  false -app} {/ships false ./routes/ships  false -app} { false ./tide.js tide false -app} { true ./tide.js tide false -app}] []"},
		{"src/routes/crew.js", "export default async function crew (fastify, opts) {\n  fastify.get('/:id', one)\n  fastify.register(require('./boats'), { prefix: '/boats' })\n}\n",
			"[{/boats false ./boats  false }] []"},
		{"src/routes/ships.js", "module.exports = async (fastify) => {\n  fastify.get('/:id', one)\n}\n", "[] []"},
		{"src/routes/tide.ts", "import type { FastifyInstance } from 'fastify'\nexport const tide: FastifyPluginAsync = async (app, opts) => {\n  app.get('/low', low)\n}\nasync function inner(api: FastifyInstance) {\n  api.get('/in', y)\n}\n", "[] [tide -api]"},
		{"src/all.js", "import AutoLoad from '@fastify/autoload'\napp.register(AutoLoad, {\n  dir: join(import.meta.dirname, 'lib', 'routes'),\n  options: {}\n})\napp.register(AutoLoad, { dir: path.join(__dirname, 'plain'), dirNameRoutePrefix: false })\n",
			"[{ false   false -app lib/routes} { false @fastify/autoload  false -app}] []"},
		{"src/koa.js", "const crew = require('./crew')\nconst router = new Router({ prefix: '/v1' })\nrouter.get('/a', a)\nrouter.use('/crew', crew.routes(), crew.allowedMethods())\nrouter.use('/boats', crew.routes())\nmodule.exports = router\n",
			"[{/v1/crew false ./crew  false } {/v1/boats false ./crew  false }] []"},
		{"src/main.rs", "fn app(s: State) -> Router {\n    let ships = Router::new()\n        .route(\"/\", get(all).post(add))\n        .route(\n            \"/{id}\",\n            get(|| async { c.get(\"x\") }).delete(drop),\n        );\n    let app = Router::new()\n        .nest(\"/api/ships\", ships)\n        .nest(\"/v2\", Router::new().route(\"/tide\", get(tide)))\n        .nest(BASE, ropes::router(s.clone()))\n        .merge(crate::crew::router());\n    // .merge(gone::router())\n    app\n}\n",
			"[{/api/ships false  app.ships false app} {… true ropes router true app} { false crew router true app}] [app.ships app.ships app]"},
		{"src/act.rs", "#[get(\"/{id}\")]\n#[instrument]\npub async fn one(id: u32) -> R {}\n\n#[route(\"/any\", method = \"GET\", method = \"HEAD\")]\nfn any() {}\npub fn config(cfg: &mut web::ServiceConfig) {\n    cfg.service(web::scope(\"/v1\").service(one).configure(boats::config).route(\"/tide\", web::get().to(tide)))\n        .service(web::resource(\"/ropes/{id}\").route(web::get().to(rope)).route(web::delete().to(cut)));\n}\n",
			"[{/v1 false  one false config} {/v1 false boats config true config}] [one any config config]"},
		{"src/rocket.rs", "#[post(\"/<id>\", data = \"<x>\")]\nfn save(id: u32) {}\npub fn routes() -> Vec<Route> { routes![save, other::show] }\nfn rocket() -> _ { rocket::build().mount(\"/crew\", routes()) }\n",
			"[{ false  save false routes} { false other show true routes} {/crew false  routes false rocket}] [save]"},
		{"cmd/main.go", "package main\n\nimport (\n\t\"quay/internal/crew\"\n\tsea \"quay/internal/ships\"\n)\n\nfunc main() {\n\tr := gin.Default()\n\tv1 := r.Group(\"/api\").Group(\"/v1\")\n\tapi := r.Group(\"/api\")\n\tsea.Register(api.Group(\"/ships\"), nil)\n\th := crew.NewHandler()\n\th.Routes(api)\n\ts.dockHandler.Register(api, 1)\n\tlocal(api)\n\tsea.Other(r)\n\tapi.GET(\"\", all)\n\tr.Mount(\"/admin\", docks{}.Routes())\n\tr.Route(\"/tide\", func(r chi.Router) {\n\t\tr.Mount(\"/low\", low(r))\n\t\tsea.Tide(r)\n\t})\n}\n\nfunc (d docks) Routes() { r.Get(\"/{id}\", one) }\n",
			"[{/admin false  docks.Routes false main} {/tide/low false  low false main} {/api/ships false quay/internal/ships Register false main} {/api false quay/internal/crew h.Routes true main} {/api false  dockHandler.Register true main} {/api false  local false main} {/tide false quay/internal/ships Tide false main}] [main docks.Routes]"},
		{"src/client.rs", "fn f(c: Client) { c.get(\"/x\").service(a); let q = client.route(x); }\n", "[{ false  a false f}] []"},
	} {
		f := &scan.File{Encoding: text.UTF8}
		f.Path = c.path
		f.Type, f.Category = scan.Classify(c.path)
		s := SurfaceOf(f, []byte(c.text))
		if got := strings.ReplaceAll(fmt.Sprint(s.Mounts, s.RoutedOn), " }", "}"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.path, got, c.want)
		}
	}
}

// Runs smoke.py in Pyodide: `node pyodide_host.mjs PYODIDE_MODULE MATRIX_FOLDER RUNTIME_FOLDER REPORT_FOLDER`.
// The first line of REPORT_FOLDER/version says which Python it is; REPORT_FOLDER/report is what smoke.py reports.
import { pathToFileURL } from "node:url";

const [module, matrix, runtime, reports] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(module).href);
const python = await loadPyodide({ stdout: () => {}, stderr: () => {} });
for (const [place, folder] of [["/matrix", matrix], ["/runtime", runtime], ["/reports", reports]]) {
  python.mountNodeFS(place, folder);
}
python.runPython(`
import platform, sys
sys.dont_write_bytecode = True
with open("/reports/version", "w") as file:
    file.write(platform.python_version())
sys.path.insert(0, "/matrix")
import smoke
smoke.main("/runtime", "/reports/report")
`);

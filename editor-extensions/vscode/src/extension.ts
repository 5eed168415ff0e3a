/** Entry point: wires the server, the Lacunae view, the Restoration panel, status and commands together. */

import { type ExtensionContext, type Uri, window, workspace } from "vscode";
import { goTo, lacunaAt, registerCommands } from "./commands";
import { RestorationPanel } from "./panel";
import { Server } from "./server";
import { RESTART_SETTINGS } from "./settings";
import { Status } from "./status";
import { LacunaeView } from "./tree";

let server: Server | null = null;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel("Pythia EpiDoc", { log: true });
  const running = new Server(context, log);
  server = running;
  const status = new Status();
  const view = new LacunaeView(async (uri) => {
    const answer = await running.lacunae(uri);
    return answer.tei ? answer.lacunae : null;
  });
  const panel = new RestorationPanel(context, running, {
    accept: (uri, position, rank, text) => running.run("accept", { uri: uri.toString(), position, rank, text }),
    insert: (uri, position, count) => running.run("insert", { uri: uri.toString(), position, count }),
    reveal: goTo,
  });

  async function lacunaeChanged(uri: Uri): Promise<void> {
    await view.refresh(uri);
    await panel.documentChanged(uri, view.lacunaeOf(uri));
  }

  context.subscriptions.push(
    log,
    status,
    view,
    panel,
    running.onStatus((news) => {
      status.show(news);
    }),
    running.onLacunaeChanged((uri) => {
      lacunaeChanged(uri).catch((error: unknown) => {
        log.debug(`The lacunae of ${uri.toString()} were not told: ${String(error)}`);
      });
    }),
    window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
      const uri = textEditor.document.uri;
      const place = selections[0]?.active;
      const lacuna = place && lacunaAt(view, uri, place);
      if (lacuna !== undefined) {
        void panel.follow(uri, lacuna);
      }
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (RESTART_SETTINGS.some((setting) => event.affectsConfiguration(setting))) {
        view.clear();
        void running.restart();
      }
    }),
    workspace.onDidGrantWorkspaceTrust(() => void running.restart()),
    ...registerCommands(running, view, panel, context.extensionUri, () => {
      log.show();
    }),
  );
  await running.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

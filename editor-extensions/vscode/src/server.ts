/** The language server as the rest of the extension sees it: start, stop, and typed requests. */

import {
  type CancellationToken,
  CancellationTokenSource,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  Uri,
  window,
  workspace,
} from "vscode";
import {
  type Executable,
  ExecuteCommandRequest,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from "vscode-languageclient/node";
import { installServer, managedPython } from "./install";
import { type Failure, findServer, type ServerCommand } from "./lookup";
import {
  EVIDENCE,
  type Evidence,
  LACUNAE,
  LACUNAE_CHANGED,
  type LacunaeAnswer,
  type ParallelRow,
  type Position,
  RESTORATION,
  type RestorationAnswer,
  type ServerStatus,
  STATUS,
} from "./protocol";
import { readSettings, SECTION } from "./settings";

const SELECTOR = [
  { language: "xml", scheme: "file" },
  { language: "xml", scheme: "untitled" },
];

export class Server {
  private client: LanguageClient | null = null;
  private turn: Promise<void> = Promise.resolve();
  private readonly lacunaeChanged = new EventEmitter<Uri>();
  private readonly statusChanged = new EventEmitter<ServerStatus>();
  readonly onLacunaeChanged = this.lacunaeChanged.event;
  readonly onStatus = this.statusChanged.event;

  constructor(
    private readonly context: ExtensionContext,
    private readonly log: LogOutputChannel,
  ) {}

  start(): Promise<void> {
    return this.inTurn(() => this.launch());
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.end());
  }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      this.log.info("Restarting the server.");
      await this.end();
      await this.launch();
    });
  }

  /** Two settings that change together restart twice: one after the other, or a server would be left over. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    this.turn = this.turn.then(work).catch((error: unknown) => {
      this.log.error(String(error));
    });
    return this.turn;
  }

  private async launch(): Promise<void> {
    const lookup = await findServer(readSettings(), managedPython(this.context), this.log);
    if ("failures" in lookup) {
      void this.reportMissing(lookup.failures);
      return;
    }
    const client = new LanguageClient(SECTION, "Pythia EpiDoc", executable(lookup.found), this.clientOptions());
    client.onNotification(LACUNAE_CHANGED, ({ uri }: { uri: string }) => {
      this.lacunaeChanged.fire(Uri.parse(uri));
    });
    client.onNotification(STATUS, (status: ServerStatus) => {
      this.statusChanged.fire(status);
    });
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.tell("idle", "");
      } else if (newState === State.Stopped && this.client === client) {
        this.tell("failed", "The server is not running; see the log.");
      }
    });
    this.client = client;
    await client.start();
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client !== null && client.isRunning()) {
      await client.dispose();
    }
  }

  lacunae(uri: Uri): Promise<LacunaeAnswer> {
    return this.request(LACUNAE, { textDocument: identifier(uri) });
  }

  restoration(uri: Uri, position: Position, token: CancellationToken): Promise<RestorationAnswer | null> {
    return this.request(RESTORATION, { textDocument: identifier(uri), position }, token);
  }

  evidence(
    uri: Uri,
    position: Position,
    rank: number,
    token: CancellationToken,
  ): Promise<{ evidence: Evidence; parallels: ParallelRow[] | null } | null> {
    return this.request(EVIDENCE, { textDocument: identifier(uri), position, rank }, token);
  }

  /** Runs one of the server's commands; the server answers with edits to the workspace. */
  async run(command: string, argument: object): Promise<void> {
    const params = { command: `pythia.server.${command}`, arguments: [argument] };
    await this.running().sendRequest(ExecuteCommandRequest.type, params);
  }

  /** Offers what can be done when no server was found: one message, with the cause and the ways out. */
  private async reportMissing(failures: Failure[]): Promise<void> {
    const last = failures.at(-1);
    const cause = last === undefined ? "" : ` Tried ${last.origin}: ${last.cause}.`;
    this.tell("failed", "The server was not found.");
    const choice = await window.showErrorMessage(
      `Pythia EpiDoc needs its language server, and it was not found.${cause}`,
      "Install",
      "Select Interpreter",
      "Show Log",
    );
    if (choice === "Install") {
      await this.install();
    } else if (choice === "Select Interpreter") {
      await this.selectInterpreter();
    } else if (choice === "Show Log") {
      this.log.show();
    }
  }

  async install(): Promise<void> {
    if (await installServer(this.context, this.log)) {
      await this.restart();
    }
  }

  /** Asks for an interpreter and keeps it in the user's settings; the change restarts the server. */
  async selectInterpreter(): Promise<void> {
    const chosen = await window.showOpenDialog({
      title: "The Python interpreter that has pythia-epidoc installed",
      openLabel: "Use this interpreter",
    });
    if (chosen?.[0] !== undefined) {
      await workspace.getConfiguration(SECTION).update("interpreter", chosen[0].fsPath, true);
    }
  }

  private tell(state: ServerStatus["state"], message: string): void {
    this.statusChanged.fire({ state, model: "", device: "", message });
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: SELECTOR,
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: { panel: true },
      markdown: { isTrusted: false, supportHtml: false },
    };
  }

  private request<R>(method: string, params: object, token = new CancellationTokenSource().token): Promise<R> {
    return this.running().sendRequest<R>(method, params, token);
  }

  private running(): LanguageClient {
    if (this.client === null) {
      throw new Error("The language server is not running. Use the command “Pythia: Restart Server”.");
    }
    return this.client;
  }
}

function executable({ command, args }: ServerCommand): Executable {
  return { command, args, transport: TransportKind.stdio };
}

function identifier(uri: Uri): { uri: string } {
  return { uri: uri.toString() };
}

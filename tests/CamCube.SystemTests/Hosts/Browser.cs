using System.Diagnostics;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace CamCube.SystemTests.Hosts;

/// <summary>A page in a chromium without a window, driven by the DevTools protocol. One user at a time.</summary>
internal sealed class Browser : IAsyncDisposable
{
    private const string Program = "chromium";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private readonly Process _process;
    private readonly DirectoryInfo _profile;
    private readonly ClientWebSocket _page = new();
    private readonly byte[] _buffer = new byte[64 << 10];
    private readonly List<string> _complaints = [];
    private int _last;

    private Browser(Process process, DirectoryInfo profile) => (_process, _profile) = (process, profile);

    /// <summary>Exceptions of the page's scripts, and what the browser complained of on its console.</summary>
    public IReadOnlyList<string> Complaints => _complaints;

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    /// <summary>Starts one and opens a page.</summary>
    public static async Task<Browser> OpenAsync(string address)
    {
        DirectoryInfo profile = Directory.CreateTempSubdirectory("camcube-browser-");
        string[] arguments =
        [
            "--headless=new",
            // The tests run as root, where it has none.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--window-size=1200,900",
            "--remote-debugging-port=0",
            $"--user-data-dir={profile.FullName}",
            "about:blank",
        ];
        var start = new ProcessStartInfo(Program, arguments)
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        var browser = new Browser(Process.Start(start)!, profile);
        try
        {
            await browser.ConnectAsync();
            await browser.CallAsync("Page.enable", []);
            await browser.CallAsync("Runtime.enable", []);
            await browser.CallAsync("Log.enable", []);
            await browser.CallAsync("Page.navigate", new JsonObject { ["url"] = address });
            await browser.UntilAsync("document.readyState === 'complete' && location.href !== 'about:blank'");
            return browser;
        }
        catch
        {
            await browser.DisposeAsync();
            throw;
        }
    }

    /// <summary>What an expression comes to in the page.</summary>
    public async Task<JsonNode?> GetAsync(string expression)
    {
        JsonNode answer = await CallAsync(
            "Runtime.evaluate",
            new JsonObject { ["expression"] = expression, ["returnByValue"] = true }
        );
        Assert.True(answer["exceptionDetails"] is null, $"{expression}: {answer}");
        return answer["result"]!["value"];
    }

    /// <summary>Waits until an expression is true in the page.</summary>
    public async Task UntilAsync(string expression)
    {
        long began = Stopwatch.GetTimestamp();
        while ((await GetAsync(expression))?.GetValue<bool>() != true)
        {
            Assert.True(
                Stopwatch.GetElapsedTime(began) < Patience,
                $"{expression} in {await GetAsync("document.body.innerText")}"
            );
            await Task.Delay(50, Cancel);
        }
    }

    /// <summary>Chooses files in a file input, as a person does.</summary>
    /// <param name="selector">Names the input.</param>
    /// <param name="files">Their paths.</param>
    public async Task ChooseAsync(string selector, params string[] files)
    {
        JsonNode document = await CallAsync("DOM.getDocument", []);
        JsonNode input = await CallAsync(
            "DOM.querySelector",
            new JsonObject { ["nodeId"] = document["root"]!["nodeId"]!.GetValue<int>(), ["selector"] = selector }
        );
        await CallAsync(
            "DOM.setFileInputFiles",
            new JsonObject
            {
                ["nodeId"] = input["nodeId"]!.GetValue<int>(),
                ["files"] = new JsonArray([.. files.Select(static file => (JsonNode)file)]),
            }
        );
    }

    /// <summary>The page as a PNG.</summary>
    public async Task<byte[]> PictureAsync() =>
        Convert.FromBase64String((await CallAsync("Page.captureScreenshot", []))["data"]!.GetValue<string>());

    public async ValueTask DisposeAsync()
    {
        _page.Dispose();
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync(CancellationToken.None);
        _process.Dispose();
        for (int tries = 0; _profile.Exists && tries < 20; tries++)
        {
            try
            {
                _profile.Delete(recursive: true);
                return;
            }
            catch (IOException)
            {
                // Its children end a moment later.
                await Task.Delay(50, CancellationToken.None);
            }
        }
    }

    private async Task ConnectAsync()
    {
        // The line before the last one is its port.
        string file = Path.Combine(_profile.FullName, "DevToolsActivePort");
        long began = Stopwatch.GetTimestamp();
        string[] lines = [];
        while (lines.Length < 2)
        {
            Assert.True(!_process.HasExited && Stopwatch.GetElapsedTime(began) < Patience, $"{Program} does not start");
            await Task.Delay(50, Cancel);
            lines = File.Exists(file) ? await File.ReadAllLinesAsync(file, Cancel) : [];
        }

        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{lines[0]}") };
        JsonArray targets = JsonNode.Parse(await http.GetStringAsync("/json/list", Cancel))!.AsArray();
        JsonNode page = targets.First(static target => target!["type"]!.GetValue<string>() == "page")!;
        await _page.ConnectAsync(new Uri(page["webSocketDebuggerUrl"]!.GetValue<string>()), Cancel);
    }

    private async Task<JsonNode> CallAsync(string method, JsonObject parameters)
    {
        int id = ++_last;
        var call = new JsonObject
        {
            ["id"] = id,
            ["method"] = method,
            ["params"] = parameters,
        };
        await _page.SendAsync(
            Encoding.UTF8.GetBytes(call.ToJsonString()),
            WebSocketMessageType.Text,
            endOfMessage: true,
            Cancel
        );
        while (true)
        {
            JsonNode message = await ReceiveAsync();
            if (message["id"]?.GetValue<int>() == id)
            {
                return message["result"] ?? throw new InvalidOperationException($"{method}: {message}");
            }

            switch (message["method"]?.GetValue<string>())
            {
                case "Runtime.exceptionThrown":
                    _complaints.Add(message["params"]!.ToJsonString());
                    break;
                case "Log.entryAdded" when message["params"]!["entry"]!["level"]!.GetValue<string>() == "error":
                    _complaints.Add(message["params"]!["entry"]!["text"]!.GetValue<string>());
                    break;
                default:
                    break;
            }
        }
    }

    private async Task<JsonNode> ReceiveAsync()
    {
        using var whole = new MemoryStream();
        while (true)
        {
            WebSocketReceiveResult part = await _page.ReceiveAsync(_buffer, Cancel);
            whole.Write(_buffer, 0, part.Count);
            if (part.EndOfMessage)
            {
                return JsonNode.Parse(whole.ToArray()) ?? throw new JsonException("null");
            }
        }
    }
}

using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Chaos.Jobs;

/// <summary>Jobs and files of a testbed, asked of whichever server answers. One task.</summary>
/// <param name="state">The testbed.</param>
/// <param name="patience">How long servers may answer nothing, all of them, or that they cannot now.</param>
internal sealed class JobHttp(TestbedState state, TimeSpan patience) : IDisposable
{
    private const int FilesPort = 8400;
    private static readonly TimeSpan Answer = TimeSpan.FromSeconds(30),
        ShortAnswer = TimeSpan.FromSeconds(2),
        Pause = TimeSpan.FromMilliseconds(200);
    private readonly HttpClient _first = NamespaceHttp.Client(state.Servers[0].Namespace, Answer);

    // One that stands still is not waited for.
    private readonly HttpClient[] _jobs =
    [
        .. state.Servers.Select(one => NamespaceHttp.Client(one.Namespace, ShortAnswer)),
    ];

    private readonly HttpClient[] _files =
    [
        .. state.Servers.Select(one => NamespaceHttp.Client(one.Namespace, Answer, FilesPort)),
    ];

    private int _next;

    /// <summary>Makes a file.</summary>
    public Task PutAsync(string path, byte[] bytes, CancellationToken cancel) =>
        AskAsync(
            _files,
            path,
            http => http.PutAsync($"/files{path}", new ByteArrayContent(bytes), cancel),
            static (_, _) => Task.FromResult(true),
            cancel
        );

    /// <summary>Deletes a directory.</summary>
    public Task DeleteAsync(string path, CancellationToken cancel) =>
        AskAsync(
            _files,
            path,
            http => http.DeleteAsync($"/files{path}?recursive", cancel),
            static (_, _) => Task.FromResult(true),
            cancel,
            HttpStatusCode.NotFound
        );

    /// <summary>SHA-256 of all files of a directory, by name.</summary>
    public async Task<IReadOnlyDictionary<string, string>> SumsAsync(string path, CancellationToken cancel)
    {
        JsonElement list = await GetAsync($"/files{path}", cancel).ConfigureAwait(false);
        var sums = new Dictionary<string, string>();
        foreach (JsonElement entry in list.GetProperty("entries").EnumerateArray())
        {
            string name = entry.GetProperty("name").GetString()!;

            // Read whole: what is kept beside the name was computed before anything could go wrong.
            sums[name] = await AskAsync(
                    _files,
                    name,
                    http => http.GetAsync($"/files{path}/{name}", cancel),
                    static async (content, cancel) =>
                        Convert.ToHexString(
                            System.Security.Cryptography.SHA256.HashData(
                                await content.ReadAsByteArrayAsync(cancel).ConfigureAwait(false)
                            )
                        ),
                    cancel
                )
                .ConfigureAwait(false);
        }

        return sums;
    }

    /// <summary>The servers of a job's reduces, as coordinates: what a reduce gives has its first copy where it
    /// ran.</summary>
    public async Task<IReadOnlyList<string>> RootsAsync(
        string output,
        IEnumerable<string> files,
        CancellationToken cancel
    )
    {
        List<string> roots = [];
        foreach (string file in files.Where(static name => name.StartsWith("part-", StringComparison.Ordinal)))
        {
            JsonElement facts = await GetAsync($"/files{output}/{file}?facts", cancel).ConfigureAwait(false);
            roots.Add(facts.GetProperty("chunkList")[0].GetProperty("servers")[0].GetString()!);
        }

        return roots;
    }

    /// <summary>Begins a job. Answers its name.</summary>
    /// <param name="description">A JobDescription, as JSON has it.</param>
    /// <param name="cancel">Ctrl+C.</param>
    /// <exception cref="TestbedException">It is refused.</exception>
    public async Task<string> BeginAsync(object description, CancellationToken cancel)
    {
        // Once: whoever asks again for want of an answer has two jobs.
        using HttpResponseMessage answer = await _first
            .PostAsync(Command("run"), JsonContent.Create(description), cancel)
            .ConfigureAwait(false);
        string text = await answer.Content.ReadAsStringAsync(cancel).ConfigureAwait(false);
        return answer.IsSuccessStatusCode
            ? JsonDocument.Parse(text).RootElement.GetProperty("name").GetString()!
            : throw new TestbedException($"a job is refused: {text}");
    }

    /// <summary>Asks about a job: status or report.</summary>
    public Task<JsonElement> LookAsync(string what, string job, CancellationToken cancel) =>
        AskAsync(
            _jobs,
            what,
            http => http.PostAsync(Command($"{what}?job={job}"), null, cancel),
            static (content, cancel) => content.ReadFromJsonAsync<JsonElement>(cancel),
            cancel
        );

    public void Dispose()
    {
        foreach (HttpClient http in (HttpClient[])[_first, .. _jobs, .. _files])
        {
            http.Dispose();
        }
    }

    private static string Command(string command) => $"/api/servers/self/services/camdoop/{command}";

    private Task<JsonElement> GetAsync(string path, CancellationToken cancel) =>
        AskAsync(
            _files,
            path,
            http => http.GetAsync(path, cancel),
            static (content, cancel) => content.ReadFromJsonAsync<JsonElement>(cancel),
            cancel
        );

    private async Task<T> AskAsync<T>(
        HttpClient[] servers,
        string what,
        Func<HttpClient, Task<HttpResponseMessage>> ask,
        Func<HttpContent, CancellationToken, Task<T>> read,
        CancellationToken cancel,
        HttpStatusCode done = HttpStatusCode.OK
    )
    {
        long began = Stopwatch.GetTimestamp();
        string last = "";
        while (Stopwatch.GetElapsedTime(began) < patience)
        {
            try
            {
                using HttpResponseMessage answer = await ask(servers[_next]).ConfigureAwait(false);
                if (answer.IsSuccessStatusCode || answer.StatusCode == done)
                {
                    return await read(answer.Content, cancel).ConfigureAwait(false);
                }

                last = await answer.Content.ReadAsStringAsync(cancel).ConfigureAwait(false);
            }
            catch (Exception e)
                when (e is HttpRequestException or IOException or JsonException
                    || (e is OperationCanceledException && !cancel.IsCancellationRequested)
                )
            {
                last = e.Message;
            }

            _next = (_next + 1) % servers.Length;
            await Task.Delay(Pause, cancel).ConfigureAwait(false);
        }

        throw new TestbedException(
            string.Create(
                CultureInfo.InvariantCulture,
                $"no server has answered '{what}' within {patience.TotalSeconds:0} s: {last}"
            )
        );
    }
}

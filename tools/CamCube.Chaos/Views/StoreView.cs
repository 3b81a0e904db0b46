using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Chaos.Views;

/// <summary>What the servers of a testbed say of their store. Any thread.</summary>
/// <param name="state">The testbed.</param>
internal sealed class StoreView(TestbedState state) : IDisposable
{
    private const string Here = "here";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly HttpClient[] _http =
    [
        .. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience)),
    ];

    /// <summary>Whether all groups are as they are planned: every server says the same, nobody is away, somebody leads
    /// and nothing is behind. Null: they are; else why not, in words.</summary>
    public async Task<string?> WhyNotSettledAsync(CancellationToken cancel)
    {
        GroupView[]?[] all = await Task.WhenAll(
                Enumerable.Range(0, _http.Length).Select(rank => AskAsync<GroupView[]>(rank, "groups", cancel))
            )
            .ConfigureAwait(false);
        int silent = Array.IndexOf(all, null);
        return silent >= 0
            ? $"server {state.Servers[silent].Coordinate} does not answer"
            : WhyNot([
                .. all.SelectMany(
                    (rows, rank) => rows!.Select(row => (Server: state.Servers[rank].Coordinate, Row: row))
                ),
            ]);
    }

    /// <summary>Has a server compare all copies of all keys. Answers what differs or could not be compared, a line
    /// each.</summary>
    /// <param name="compared">Gets the number of copies.</param>
    /// <param name="cancel">Ctrl+C.</param>
    public async Task<IReadOnlyList<string>> CompareAsync(Action<long> compared, CancellationToken cancel)
    {
        List<string> lines = [];
        long copies = 0;
        string cursor = "";
        int rank = 0;
        do
        {
            VerifyView? part = null;
            for (int tried = 0; part is null && tried < _http.Length; tried++)
            {
                // Any server can go on where another was.
                rank = (rank + tried) % _http.Length;
                part = await AskAsync<VerifyView>(rank, "verify" + cursor, cancel).ConfigureAwait(false);
            }

            if (part is null)
            {
                lines.Add("no server compares copies");
                break;
            }

            copies += part.Compared;
            lines.AddRange(
                part.Differences.Select(one =>
                    $"server {one.Server} has {one.Key ?? one.Hex} of group {one.Group} otherwise: {one.What}"
                )
            );
            lines.AddRange(
                part.Skipped.Select(one => $"group {one.Group} of server {one.Server} not compared: {one.Why}")
            );
            cursor = part.Cursor is null ? "" : $"?cursor={part.Cursor}";
        } while (cursor.Length > 0);

        compared(copies);
        return lines;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (HttpClient http in _http)
        {
            http.Dispose();
        }
    }

    /// <summary>As <see cref="WhyNotSettledAsync"/>, of what each server says of its groups.</summary>
    public static string? WhyNot(IReadOnlyList<(string Server, GroupView Row)> all)
    {
        foreach (IGrouping<string, (string Server, GroupView Row)> group in all.GroupBy(one => one.Row.Group))
        {
            uint epoch = group.Max(one => one.Row.Epoch);
            (string Server, GroupView Row)[] latest = [.. group.Where(one => one.Row.Epoch == epoch)];
            GroupView first = latest[0].Row;
            string? why =
                epoch == 0 ? "is not born"
                : latest.Length != group.Count() ? "is in two epochs"
                : first.Members.FirstOrDefault(member => member.State != Here) is { } away
                    ? $"lacks {away.Server} ({away.State})"
                : latest.Length != first.Members.Count ? $"is known to {latest.Length} of {first.Members.Count} members"
                : first.Leader is null ? "has no leader"
                : latest.Any(one => one.Row.Leader != first.Leader) ? "has two leaders"
                : latest.Any(one => one.Row.Index != first.Index || one.Row.Behind != 0) ? "is not level"
                : null;
            if (why is not null)
            {
                return $"group {group.Key} {why}";
            }
        }

        return null;
    }

    private async Task<T?> AskAsync<T>(int rank, string command, CancellationToken cancel)
        where T : class
    {
        try
        {
            using HttpResponseMessage answer = await _http[rank]
                .PostAsync($"/api/servers/{state.Servers[rank].Coordinate}/services/kv/{command}", null, cancel)
                .ConfigureAwait(false);
            return answer.IsSuccessStatusCode
                ? await answer.Content.ReadFromJsonAsync<T>(cancel).ConfigureAwait(false)
                : null;
        }
        catch (Exception e)
            when (e is HttpRequestException or IOException or JsonException
                || (e is OperationCanceledException && !cancel.IsCancellationRequested)
            )
        {
            return null;
        }
    }
}

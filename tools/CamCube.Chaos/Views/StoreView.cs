using System.Net.Http.Json;
using System.Text.Json;
using CamCube.Testbed;

namespace CamCube.Chaos.Views;

/// <summary>What the servers of a testbed say of their store. Any thread.</summary>
/// <param name="state">The testbed.</param>
internal sealed class StoreView(TestbedState state) : IDisposable
{
    private const string Here = "here";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10),
        Moment = TimeSpan.FromSeconds(1);

    private readonly HttpClient[] _http =
    [
        .. state.Servers.Select(server => NamespaceHttp.Client(server.Namespace, Patience)),
    ];

    /// <summary>Whether all groups are as they are planned: every server says the same, nobody is away, somebody leads
    /// and nothing is behind, which nobody is while no client writes. Null: they are; else why not, in words.</summary>
    public async Task<string?> WhyNotSettledAsync(CancellationToken cancel)
    {
        (string? why, IReadOnlyList<(string Server, GroupView Row)> all) = await LookAsync(cancel)
            .ConfigureAwait(false);
        return why ?? WhyNot(all);
    }

    /// <summary>As <see cref="WhyNotSettledAsync"/>, while clients write: all members have what any of them had a
    /// moment before, so each has a copy of all but the last changes.</summary>
    public async Task<string?> WhyNotWholeAsync(CancellationToken cancel)
    {
        (string? why, IReadOnlyList<(string Server, GroupView Row)> before) = await LookAsync(cancel)
            .ConfigureAwait(false);
        if (why is not null)
        {
            return why;
        }

        await Task.Delay(Moment, cancel).ConfigureAwait(false);
        (why, IReadOnlyList<(string Server, GroupView Row)> after) = await LookAsync(cancel).ConfigureAwait(false);
        return why ?? WhyNot(after, before);
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

    /// <summary>Whether all groups are as they are planned, by what each server says of its groups.</summary>
    /// <param name="all">That, now.</param>
    /// <param name="before">That, a moment ago: what was applied anywhere by then is applied everywhere now. Null: all
    /// are level now.</param>
    public static string? WhyNot(
        IReadOnlyList<(string Server, GroupView Row)> all,
        IReadOnlyList<(string Server, GroupView Row)>? before = null
    )
    {
        Dictionary<string, ulong>? least = before
            ?.GroupBy(one => one.Row.Group)
            .ToDictionary(group => group.Key, group => group.Max(one => one.Row.Index));
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
                : latest.Any(one => IsBehind(one.Row, first, least)) ? "is not level"
                : null;
            if (why is not null)
            {
                return $"group {group.Key} {why}";
            }
        }

        return null;
    }

    private static bool IsBehind(GroupView row, GroupView first, Dictionary<string, ulong>? least) =>
        least is null
            ? row.Index != first.Index || row.Behind != 0
            : row.Index < least.GetValueOrDefault(row.Group, ulong.MaxValue);

    private async Task<(string? Why, IReadOnlyList<(string Server, GroupView Row)> All)> LookAsync(
        CancellationToken cancel
    )
    {
        GroupView[]?[] all = await Task.WhenAll(
                Enumerable.Range(0, _http.Length).Select(rank => AskAsync<GroupView[]>(rank, "groups", cancel))
            )
            .ConfigureAwait(false);
        int silent = Array.IndexOf(all, null);
        return silent >= 0
            ? ($"server {state.Servers[silent].Coordinate} does not answer", [])
            : (
                null,
                [
                    .. all.SelectMany(
                        (rows, rank) => rows!.Select(row => (Server: state.Servers[rank].Coordinate, Row: row))
                    ),
                ]
            );
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

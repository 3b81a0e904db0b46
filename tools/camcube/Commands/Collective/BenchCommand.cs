using System.CommandLine;
using CamCube.Administration.Answers;
using CamCube.Services.Collectives;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Commands.Collective;

/// <summary><c>camcube collective bench</c>: how fast a collective operation is on a running cube, and whether what it
/// works out is right.</summary>
internal static class BenchCommand
{
    private const int MostRounds = 10_000;
    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(200);
    private static readonly ByteRange Standard = new(new ByteCount(4 << 10), new ByteCount(64 << 20));

    // As the service calls them.
    private static readonly string[] Operations =
    [
        "allreduce",
        "reduce",
        "broadcast",
        "reducescatter",
        "allgather",
        "barrier",
    ];

    /// <summary>The command.</summary>
    public static Command Create(CommonOptions common, Dictionary<Command, string> examples)
    {
        Option<string> operation = new("--op")
        {
            Description = $"What is measured: {string.Join(", ", Operations)}",
            HelpName = "OPERATION",
            DefaultValueFactory = static _ => Operations[0],
            CustomParser = Values.Of<string>(
                static (string text, out string name) => Operations.Contains(name = text.ToLowerInvariant()),
                $"must be one of {string.Join(", ", Operations)}"
            ),
        };
        Option<ByteRange> bytes = new("--bytes")
        {
            Description = "Bytes of the vectors: each has twice those of the one before [default: 4KiB..64MiB]",
            HelpName = "FROM..TO",
            CustomParser = Values.Of<ByteRange>(
                ByteRange.TryParse,
                "must be a number of bytes below 2 GiB, or one and a larger one, as in 4KiB..64MiB"
            ),
        };
        Option<ElementType?> type = Named<ElementType>("--type", "TYPE", "What the elements are [default: float32]");
        Option<ReduceOperator?> with = Named<ReduceOperator>(
            "--operator",
            "OPERATOR",
            "How two become one [default: sum]"
        );
        Option<string[]> members = ServerListOption.Create("--members", "Who takes part");
        members.DefaultValueFactory = static _ => ["all"];
        Option<int> rounds = Values.Whole("--rounds", "How often each size is timed", 5, 1, MostRounds);
        var command = new Command("bench", "Measures a collective operation, and looks whether its results are right.")
        {
            operation,
            bytes,
            type,
            with,
            members,
            rounds,
        };
        examples[command] = """
            camcube collective bench
            camcube collective bench --op reduce --bytes 1MiB..16MiB --type bfloat16 --operator max
            camcube collective bench --members 0 1 1,1,1 --rounds 20
            camcube collective bench --json | jq '.sizes[] | [.bytes, .busBytesPerSecond]'
            """;
        command.SetAction(
            async (parsed, cancel) =>
            {
                ElementType elements = parsed.GetValue(type) ?? ElementType.Float32;
                ReduceOperator how = parsed.GetValue(with) ?? ReduceOperator.Sum;
                if (ElementTypes.IsFloat(elements) && how >= ReduceOperator.And)
                {
                    string what = $"{how} of {elements}".ToLowerInvariant();
                    throw new ToolException(ExitCode.Usage, $"there is no {what}; whole numbers have one, as int32.");
                }

                ByteRange sizes = parsed.GetResult(bytes) is null ? Standard : parsed.GetValue(bytes);
                using var host = new ToolHost(parsed.GetRequiredValue(common.Host));
                var collectives = new CollectivesHost(host);
                StatusAnswer status = await collectives.StatusAsync(cancel);
                Coordinate[] named = ServerListOption.Read(parsed.GetRequiredValue(members), "--members", status.Torus);
                string server = BeginsAt(status, named);
                string query =
                    $"bench?operation={parsed.GetRequiredValue(operation)}&type={elements}&operator={how}"
                    + $"&least={sizes.Least.Bytes}&most={sizes.Most.Bytes}&rounds={parsed.GetValue(rounds)}"
                    + (named.Length > 0 ? $"&members={Uri.EscapeDataString(string.Join(';', named))}" : "");
                string started = await collectives.AskAsync(server, query, cancel);
                string id = collectives.Read<BenchStartAnswer>(started).Id;
                string json = await FollowAsync(collectives, server, id, parsed, cancel);
                BenchAnswer bench = collectives.Read<BenchAnswer>(json);
                if (parsed.GetValue(common.Json) || bench.Sizes.Count > 0)
                {
                    JsonOrText.Print(parsed, common, json, report => CollectivesText.Show(report, bench));
                }

                return WrongOf(bench) is { } wrong ? throw new ToolException(ExitCode.Failed, wrong) : ExitCode.Ok;
            }
        );
        return command;
    }

    private static Option<T?> Named<T>(string name, string helpName, string description)
        where T : struct, Enum =>
        Values.Optional<T>(
            name,
            helpName,
            description,
            static (string text, out T value) =>
                Enum.TryParse(text, ignoreCase: true, out value) && text.Length > 0 && char.IsLetter(text[0]),
            $"must be one of {string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant()}"
        );

    // Where it is begun is a member.
    private static string BeginsAt(StatusAnswer status, Coordinate[] members)
    {
        string[] servers = CollectivesHost.ServersOf(status);
        return members.Length == 0
            ? servers[0]
            : members.Select(static member => $"{member}").FirstOrDefault(servers.Contains)
                ?? throw new ToolException(
                    ExitCode.Usage,
                    $"--members must name a server of this host that runs collectives, as {servers[0]}."
                );
    }

    // To its end. Who goes meanwhile ends it.
    private static async Task<string> FollowAsync(
        CollectivesHost host,
        string server,
        string id,
        ParseResult parsed,
        CancellationToken cancel
    )
    {
        using var progress = new ProgressLine(parsed.InvocationConfiguration.Error);
        try
        {
            while (true)
            {
                string json = await host.AskAsync(server, $"bench-status?bench={id}", cancel);
                BenchAnswer bench = host.Read<BenchAnswer>(json);
                if (bench.State != "running")
                {
                    return json;
                }

                progress.Show(() => CollectivesText.Line(bench));
                await Task.Delay(Between, cancel);
            }
        }
        catch (OperationCanceledException) when (cancel.IsCancellationRequested)
        {
            await host.AskAsync(server, $"bench-cancel?bench={id}", CancellationToken.None);
            throw;
        }
    }

    private static string? WrongOf(BenchAnswer bench) =>
        bench.State != "done" ? $"{bench.Operation} was not measured to its end: {bench.Words ?? bench.State}."
        : bench.Wrong > 0 ? $"{bench.Wrong:N0} elements of results were wrong."
        : null;
}

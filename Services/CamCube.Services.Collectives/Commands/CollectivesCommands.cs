using System.ComponentModel;
using System.Globalization;
using CamCube.Services.Collectives.Groups;
using CamCube.Services.Collectives.Measuring;
using CamCube.Services.Collectives.Wire;

namespace CamCube.Services.Collectives.Commands;

/// <summary>What can be asked of a server's collectives from outside. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="collectives">Its groups.</param>
/// <param name="groupOf">An open group; null: there is none of the name.</param>
/// <param name="measurements">Its measurements.</param>
/// <param name="next">A number that no other measurement has.</param>
internal sealed class CollectivesCommands(
    IServer server,
    ICollectives collectives,
    Func<string, Group?> groupOf,
    Measurements measurements,
    Func<ulong> next
)
{
    private const int Standard = 4 << 10;

    /// <summary>All of them.</summary>
    public IReadOnlyList<ServiceCommand> Commands =>
        [
            ServiceCommand.Of(
                "groups",
                "The groups that are open at this server.",
                _ => new ValueTask<CommandResult>(CommandResult.Of(collectives.List().Select(GroupRow.Of).ToArray()))
            ),
            ServiceCommand.Of<GroupArguments, CommandResult>(
                "trees",
                "The trees of a group that is open at this server: each member's parent, and by which link.",
                (a, _) => new ValueTask<CommandResult>(Trees(a))
            ),
            ServiceCommand.Of<BenchArguments, CommandResult>(
                "bench",
                "Begins to measure an operation with other servers; this one must be a member.",
                (a, _) => new ValueTask<CommandResult>(Begin(a)),
                changes: true
            ),
            ServiceCommand.Of<NumberArguments, CommandResult>(
                "bench-status",
                "How far a measurement is that was begun here. One for which nobody asks ends.",
                (a, _) =>
                    new ValueTask<CommandResult>(
                        Find(a.Bench) is { } found ? CommandResult.Of(BenchRow.Of(found)) : Unknown(a.Bench)
                    )
            ),
            ServiceCommand.Of<NumberArguments, CommandResult>(
                "bench-cancel",
                "Ends a measurement that was begun here, at all members.",
                (a, _) => new ValueTask<CommandResult>(Cancel(a.Bench)),
                changes: true
            ),
        ];

    /// <summary>A measurement's number as people see it.</summary>
    public static string NameOf(ulong number) => number.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>A word of C# as JSON has it.</summary>
    public static string NameOf(string word) => char.ToLowerInvariant(word[0]) + word[1..];

    private CommandResult Begin(BenchArguments a)
    {
        Coordinate[] members = a.Members is { Length: > 0 } named
            ? named
            : [.. Enumerable.Range(0, server.Shape.Count).Select(server.Shape.At)];
        var terms = new MeasureTerms(next(), a.Operation, a.Type, a.Operator, a.Rounds, a.Least, a.Most, members);
        return measurements.Begin(terms) is { } why
            ? CommandResult.Refused($"{why}.")
            : CommandResult.Of(new BenchStartedRow(NameOf(terms.Number)));
    }

    private CommandResult Trees(GroupArguments a)
    {
        if (groupOf(a.Group) is not { } group)
        {
            return CommandResult.Refused($"no group {a.Group} is open here.");
        }

        int last = group.Members.Count - 1;
        return a.Rank is not { } rank ? CommandResult.Of(ChannelPlan.Show(server.Shape, group.Members))
            : rank < 0 || rank > last ? CommandResult.Refused($"group {a.Group} has the ranks 0 to {last}.")
            : !group.HasParts
                ? CommandResult.Refused(
                    $"the members of group {a.Group} have no trees of their own: there is no memory for them "
                        + "(CamCube:Services:collectives: Groups, LeastCredit, SendMemory, ReceiveMemory)."
                )
            : CommandResult.Of(ChannelPlan.ShowPart(server.Shape, group.Members, rank));
    }

    private CommandResult Cancel(string name)
    {
        if (Find(name) is not { Stage: MeasurementStage.Running } found)
        {
            return CommandResult.Refused($"no measurement {name} runs here.");
        }

        found.Fail("cancelled");
        return CommandResult.Done;
    }

    private Measurement? Find(string name) =>
        ulong.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong number)
            ? measurements.Find(number)
            : null;

    private static CommandResult Unknown(string name) => CommandResult.Refused($"there is no measurement {name} here.");

    private sealed record BenchArguments(
        [Description("AllReduce, Reduce, Broadcast, ReduceScatter, AllGather or Barrier")]
            OperationKind Operation = OperationKind.AllReduce,
        [Description("bytes of the first vector")] int Least = Standard,
        [Description("no vector of more bytes; each has twice those of the one before")] int Most = Standard,
        [Description("what the elements are")] ElementType Type = ElementType.Float32,
        [Description("how two become one")] ReduceOperator Operator = ReduceOperator.Sum,
        [Description("how often each size is timed")] int Rounds = 5,
        [Description("who takes part, rank 0 first; nobody named: all servers")] Coordinate[]? Members = null
    );

    private sealed record GroupArguments(
        [Description("the group's name")] string Group,
        [Description("the member whose tree is shown, of operations in parts; not given: rank 0's, of all others")]
            int? Rank = null
    );

    private sealed record NumberArguments([Description("the measurement's number")] string Bench);
}

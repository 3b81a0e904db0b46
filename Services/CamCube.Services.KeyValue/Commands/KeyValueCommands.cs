using System.Buffers;
using CamCube.Services.KeyValue.Counting;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Metadata;
using CamCube.Services.KeyValue.Salvage;
using CamCube.Services.KeyValue.Verification;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>What can be asked of the store from outside through the host (docs/key-value.md). Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="store">Its store.</param>
/// <param name="verifier">Compares copies; null: nobody does.</param>
/// <param name="founding">Decides the first start; null: nobody does.</param>
/// <param name="counters">What is counted; null: nothing is.</param>
/// <param name="recoverer">Recovers by hand; null: nobody does.</param>
/// <param name="tables">The tables and their modes, in words.</param>
internal sealed class KeyValueCommands(
    IServer server,
    IKeyValueStore store,
    Verifier? verifier = null,
    FirstStart? founding = null,
    KeyValueCounters? counters = null,
    Recoverer? recoverer = null,
    IReadOnlyList<string>? tables = null
)
{
    // The store knows nothing of who asks: what it waits for one who has gone ends after so long.
    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(10);

    public IReadOnlyList<ServiceCommand> Commands { get; } =
    [
        ServiceCommand.Of<GetArguments, CommandResult>(
            "get",
            "The value of a key, as bytes; JSON with its status if there is none.",
            (arguments, _) => GetAsync(store, arguments)
        ),
        ServiceCommand.Of<ChangeArguments, CommandResult>(
            "put",
            "Puts the body in the place of a key's value.",
            (arguments, context) => PutAsync(server, store, arguments, context),
            changes: true,
            takesBody: true
        ),
        ServiceCommand.Of<ChangeArguments, CommandResult>(
            "delete",
            "Deletes a key and its value.",
            (arguments, _) => DeleteAsync(server, store, arguments),
            changes: true
        ),
        ServiceCommand.Of<WaitArguments, CommandResult>(
            "wait",
            "Waits until a key has another version.",
            (arguments, context) => WaitAsync(server, store, arguments, context.Cancel)
        ),
        ServiceCommand.Of<GetArguments, CommandResult>(
            "info",
            "Version, length, and what is kept beside the value of a key.",
            (arguments, _) => InfoAsync(server, store, arguments)
        ),
        ServiceCommand.Of(
            "groups",
            "The groups of this server: members, leader, how far they are.",
            _ => new ValueTask<CommandResult>(CommandResult.Of(store.ListGroups().Select(GroupRow.Of).ToArray()))
        ),
        ServiceCommand.Of(
            "status",
            "The store of this server in numbers.",
            _ => new ValueTask<CommandResult>(
                CommandResult.Of(StatusOf(server.Coordinate, store, founding, counters, tables))
            )
        ),
        .. verifier is null ? (ServiceCommand[])[] : [VerifyCommand.Of(server, verifier)],
        .. founding is null ? (ServiceCommand[])[] : [InitCommand.Of(server, founding.Begin)],
        .. recoverer is null ? (ServiceCommand[])[] : [RecoverCommand.Of(server, recoverer)],
    ];

    private static async ValueTask<CommandResult> GetAsync(IKeyValueStore store, GetArguments arguments)
    {
        if (arguments.ReadKey(out KeyValueKey key) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        ArrayBufferWriter<byte> value = new();
        KeyValueAnswer answer = await store.GetAsync(key, arguments.Reads, value);
        return answer.Status == KeyValueStatus.Done
            ? CommandResult.Bytes(value.WrittenMemory)
            : CommandResult.Of(OperationRow.Of(answer));
    }

    private static async ValueTask<CommandResult> PutAsync(
        IServer server,
        IKeyValueStore store,
        ChangeArguments arguments,
        CommandContext context
    )
    {
        KeyValueCondition condition = default;
        if ((arguments.ReadKey(out KeyValueKey key) ?? arguments.ReadCondition(out condition)) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        string? type = context.ContentType is { } given && ValueMetadata.CanKeep(given) ? given : null;
        long began = server.NowNanos;
        KeyValueAnswer answer = await store.PutAsync(
            key,
            context.Body,
            new KeyValuePut { Condition = condition, Metadata = new ValueMetadata(type, []).ToBytes() }
        );
        return CommandResult.Of(OperationRow.Of(answer, (server.NowNanos - began) / 1e3));
    }

    private static async ValueTask<CommandResult> DeleteAsync(
        IServer server,
        IKeyValueStore store,
        ChangeArguments arguments
    )
    {
        KeyValueCondition condition = default;
        if ((arguments.ReadKey(out KeyValueKey key) ?? arguments.ReadCondition(out condition)) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        long began = server.NowNanos;
        KeyValueAnswer answer = await store.DeleteAsync(key, condition);
        return CommandResult.Of(OperationRow.Of(answer, (server.NowNanos - began) / 1e3));
    }

    private static async ValueTask<CommandResult> WaitAsync(
        IServer server,
        IKeyValueStore store,
        WaitArguments arguments,
        CancellationToken cancel
    )
    {
        if (arguments.ReadKey(out KeyValueKey key) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        long began = server.NowNanos;
        TimeSpan left = arguments.Timeout;
        KeyValueAnswer answer;
        do
        {
            TimeSpan part = left < LongestWait ? left : LongestWait;
            answer = await store.WaitAsync(key, arguments.Version, part);
            left -= part;
        } while (answer.Status == KeyValueStatus.Conflict && left > TimeSpan.Zero && !cancel.IsCancellationRequested);

        return CommandResult.Of(OperationRow.Of(answer, (server.NowNanos - began) / 1e3));
    }

    private static async ValueTask<CommandResult> InfoAsync(
        IServer server,
        IKeyValueStore store,
        GetArguments arguments
    )
    {
        if (arguments.ReadKey(out KeyValueKey key) is { } wrong)
        {
            return CommandResult.Refused(wrong);
        }

        ArrayBufferWriter<byte> kept = new();
        long began = server.NowNanos;
        KeyValueAnswer answer = await store.GetAsync(key, arguments.Reads, null, kept);
        var metadata = ValueMetadata.Read(kept.WrittenSpan);
        return CommandResult.Of(
            OperationRow.Of(answer, (server.NowNanos - began) / 1e3) with
            {
                ContentType = metadata.ContentType,
                Metadata = [.. metadata.Fields.Select(field => KeyValuePair.Create(field.Name, field.Value))],
            }
        );
    }

    private static StatusRow StatusOf(
        Coordinate server,
        IKeyValueStore store,
        FirstStart? founding,
        KeyValueCounters? counters,
        IReadOnlyList<string>? tables
    )
    {
        IReadOnlyList<KeyValueGroup> groups = store.ListGroups();
        return new StatusRow(
            $"{server}",
            groups.Count,
            groups.Count(group => group.Leader == server && group.WithoutMajority == TimeSpan.Zero),
            groups.Count(group => group.Epoch == 0),
            groups.Count(group => group.Leader is null),
            groups.Count(group => group.Away != 0),
            groups.Aggregate(0UL, (sum, group) => sum + group.Last - Math.Min(group.Applied, group.Last)),
            store.Failure,
            founding?.Waiting,
            groups.Count(group => group.WithoutMajority > TimeSpan.Zero),
            groups.Select(static group => group.WithoutMajority).DefaultIfEmpty().Max().TotalSeconds
        )
        {
            Tables = tables ?? [],
            Keys = counters?.Keys.Value,
            Bytes = counters?.Bytes.Value,
            GarbageBytes = counters?.Garbage.Value,
            CopiesMissing = counters?.Away.Value,
            Fetching = counters?.Fetching.Value,
            FetchedBytesPerSecond = counters?.FetchedRate.Value,
            Rotten = counters?.Rotten.Value,
            Repaired = counters?.Repaired.Value,
            ScrubbedPercent = counters?.ScrubPercent.Value,
        };
    }
}

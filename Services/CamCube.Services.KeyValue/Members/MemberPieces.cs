using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>
/// Pieces of values as the groups of a server see them. An entry that names pieces comes into no log here before all of
/// them are durable here: so whoever has such an entry has its value, and whoever acknowledges it says so of both. Loop
/// only.
/// </summary>
internal sealed class MemberPieces(IServer server, MemberStores stores, RecoveryPace pace)
{
    private readonly Coordinate _self = server.Coordinate;

    /// <summary>Which of those on the disk are needed.</summary>
    public PieceKeeper Keeper => stores.Disk.Records.Pieces;

    /// <summary>Holds back what is fetched.</summary>
    public RecoveryPace Pace => pace;

    /// <summary>Who brings those that are not here.</summary>
    public IPieceDuty Duty { get; set; } = null!;

    /// <summary>Is told of a piece that has rotted here.</summary>
    public Action<PieceId, int> Rotten { get; set; } = static (_, _) => { };

    /// <summary>Some log is open, and what was in it taken up.</summary>
    public bool IsOpen => stores.All.Any(static s => s.IsOpen);

    /// <summary>Whether there is a table of a group's number, and its store is open.</summary>
    public bool IsHere(uint group) =>
        new GroupId(group) is var id
        && id.IsIn(server.Shape)
        && (!stores.IsInMemory(id.Table) || stores.Memory is not null)
        && stores.Of(id).IsOpen;

    /// <summary>Which of a group are needed.</summary>
    public PieceKeeper KeeperOf(uint group) => stores.Of(new GroupId(group)).Records.Pieces;

    /// <summary>Where the pieces of a value are, if they are here.</summary>
    public MemberStore StoreWith(PieceId id) =>
        stores.Memory is { } memory && memory.Records.Pieces.Pieces.Knows(id) ? memory : stores.Disk;

    /// <summary>Lets go what nobody needs any more.</summary>
    public void Sweep()
    {
        foreach (MemberStore store in stores.All)
        {
            store.Records.Pieces.Sweep(store.Log is { IsFull: true });
        }
    }

    /// <summary>Writes a piece.</summary>
    /// <param name="group">The group that it is for.</param>
    /// <param name="piece">The piece, whose value somebody uses (<see cref="PieceKeeper.Begin"/>).</param>
    /// <param name="bytes">What is in it; copied.</param>
    public LogAnswer Write(uint group, PieceWrite piece, ReadOnlySpan<byte> bytes)
    {
        MemberStore store = stores.Of(new GroupId(group));
        return store.IsOpen ? store.Records.Recorder.Piece(group, piece, bytes) : LogAnswer.Ended;
    }

    /// <summary>Whether all pieces that an operation names are here; if not, they are fetched.</summary>
    /// <param name="member">The group.</param>
    /// <param name="list">What the operation names; null: nothing.</param>
    /// <param name="likely">Who has them, most likely.</param>
    /// <param name="isRecovery">No client waits for them.</param>
    public bool Has(Member member, PieceList? list, Coordinate? likely = null, bool isRecovery = false)
    {
        if (list is null || member.Store.Records.Pieces.Pieces.IsWhole(list))
        {
            return true;
        }

        Duty.Fetch(member.Id.Number, list, SourcesOf(member, likely), isRecovery);
        return false;
    }

    /// <summary>The same for recovery, with servers that are asked first.</summary>
    public bool Has(Member member, PieceList list, IEnumerable<Coordinate> first)
    {
        if (member.Store.Records.Pieces.Pieces.IsWhole(list))
        {
            return true;
        }

        List<Coordinate> sources = [.. first];
        SourcesOf(member).ForEach(server => Add(sources, server));
        Duty.Fetch(member.Id.Number, list, sources, isRecovery: true);
        return false;
    }

    /// <summary>Who may have pieces of a group's values, but for this server.</summary>
    public List<Coordinate> SourcesOf(Member member, Coordinate? likely = null)
    {
        List<Coordinate> sources = [];
        Add(sources, likely ?? _self);
        foreach (StoreId store in member.State.Epoch is { } epoch ? epoch.Members : default)
        {
            Add(sources, store.Server);
        }

        foreach (Coordinate planned in member.Planned)
        {
            Add(sources, planned);
        }

        return sources;
    }

    /// <summary>A message without the entries from the first on that names pieces which are not here: its sender sends
    /// them again.</summary>
    /// <param name="member">The group.</param>
    /// <param name="message">The message.</param>
    /// <param name="operations">What its entries do.</param>
    public GroupMessage WithoutLacking(Member member, in GroupMessage message, List<Operation> operations)
    {
        if (message is not { Kind: MessageKind.Append, Entries: { } entries })
        {
            return message;
        }

        // What nobody is told of for this member's sake.
        GroupState state = member.State;
        bool isAway = state.Position >= 0 && state.CommitMarks.IsAway(state.Position);
        for (int i = 0; i < entries.Length; i++)
        {
            ulong index = message.Index + 1 + (ulong)i;
            bool isHere =
                entries[i].Kind != EntryKind.Operation
                || index <= state.BaseIndex
                || (index <= state.LastIndex && state.BallotAt(index) == entries[i].Ballot);
            if (!isHere && !Has(member, operations[(int)entries[i].Data].Pieces, message.From.Server, isAway))
            {
                return message with { Entries = i == 0 ? null : entries[..i] };
            }
        }

        return message;
    }

    private void Add(List<Coordinate> sources, Coordinate server)
    {
        if (server != _self && !sources.Contains(server))
        {
            sources.Add(server);
        }
    }
}

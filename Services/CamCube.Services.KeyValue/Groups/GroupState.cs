using System.Globalization;
using System.Text;

namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// All that one store knows of one group: what is durable (or on its way there), and what is lost with a crash. Only
/// <see cref="GroupCore"/> changes it. Its log begins behind the epoch's beginning, or behind what was trimmed.
/// </summary>
internal sealed class GroupState
{
    public readonly List<GroupEntry> Log = [];
    public readonly List<GroupEpoch> Refused = [];

    /// <summary>Of a group in memory: epochs in which it never acts again, up to the one named of each generation.
    /// </summary>
    public readonly List<Ballot> Over = [];
    public MemberNumbers Acked;
    public MemberNumbers Sent;
    public MemberNumbers Confirmed;

    /// <summary>A store that is blank for this group.</summary>
    /// <param name="self">The store.</param>
    /// <param name="isFounding">Whether it was made at the first start of all.</param>
    public GroupState(StoreId self, bool isFounding) => (Self, IsFounding) = (self, isFounding);

    /// <summary>What a store goes on with after a start.</summary>
    /// <param name="self">The store.</param>
    /// <param name="isFounding">Whether it was made at the first start of all.</param>
    /// <param name="records">What it found.</param>
    public static GroupState Of(StoreId self, bool isFounding, GroupRecords records)
    {
        var found = new GroupState(self, isFounding)
        {
            Birth = records.Epoch is null && records.Recovery is null ? records.Birth : null,
            Recovery = records.Recovery,
            IsDecided = records.IsDecided,
            Epoch = records.Epoch,
            EpochIndex = records.EpochIndex,
            EndedBallot = records.EndedBallot,
            HasEnd = records.HasEnd,
            IsDropped = records.IsDropped,
            Ballot = records.Ballot,
            Voted = records.Voted,
            BaseIndex = records.BaseIndex,
            BaseBallot = records.BaseBallot,
            BaseMarks = records.BaseMarks,
        };
        found.Log.AddRange(records.Log);
        found.Refused.AddRange(records.Refused);
        return found.Restart(records.Applied);
    }

    /// <summary>The store.</summary>
    public StoreId Self { get; }

    /// <summary>Whether it was made at the first start of all: it would know a birth before.</summary>
    public bool IsFounding { get; }

    /// <summary>Nothing of it survives a start (<see cref="GroupMode.IsInMemory"/>).</summary>
    public bool IsInMemory { get; init; }

    /// <summary>Of a group in memory: members of its epoch, or of the one it is to be in, whose store is over, one bit
    /// each.</summary>
    public byte Gone { get; internal set; }

    /// <summary>What it does.</summary>
    public GroupRole Role { get; internal set; }

    // Durable.

    /// <summary>The birth it takes part in.</summary>
    public GroupEpoch? Birth { get; internal set; }

    /// <summary>The recovery that it agreed to, until that is over.</summary>
    public GroupRecovery? Recovery { get; internal set; }

    /// <summary>Whether all who are asked are known to have agreed, so that nothing else can come of it.</summary>
    public bool IsDecided { get; internal set; }

    /// <summary>The epoch it is in; of one that left, the next.</summary>
    public GroupEpoch? Epoch { get; internal set; }

    /// <summary>The ballot promised: nothing earlier is listened to.</summary>
    public Ballot Ballot { get; internal set; }

    /// <summary>The position of who it voted for in its ballot; -1 for nobody.</summary>
    public int Voted { get; internal set; } = -1;

    /// <summary>The index before the log's first.</summary>
    public ulong BaseIndex { get; internal set; }

    /// <summary>The ballot of the entry there.</summary>
    public Ballot BaseBallot { get; internal set; }

    /// <summary>The marks there.</summary>
    public GroupMarks BaseMarks { get; internal set; }

    /// <summary>The index at which the epoch begins: that of the Next that made it.</summary>
    public ulong EpochIndex { get; internal set; }

    /// <summary>The ballot that this Next had here; none if the state was fetched.</summary>
    public Ballot EndedBallot { get; internal set; }

    /// <summary>Whether a member that left dropped its data.</summary>
    public bool IsDropped { get; internal set; }

    /// <summary>Whether a member that left has the state at the end of its epoch.</summary>
    public bool HasEnd { get; internal set; }

    // Lost with a crash.

    /// <summary>Whether birth and refusals are durable.</summary>
    public bool IsBirthSynced { get; internal set; } = true;

    /// <summary>Whether the recovery is durable.</summary>
    public bool IsRecoverySynced { get; internal set; } = true;

    /// <summary>Who has agreed to it, as far as its base knows.</summary>
    public byte RecoverAccepted { get; internal set; }

    /// <summary>Members that are known to have the birth durable.</summary>
    public byte BirthAccepted { get; internal set; }

    /// <summary>Planned members whose stores are asked whether they are blank; their incarnations once they are
    /// known.</summary>
    public GroupEpoch? Planned { get; internal set; }

    /// <summary>Planned members whose stores were made at the first start.</summary>
    public byte PlannedFounding { get; internal set; }

    /// <summary>Whether ballot and vote are durable.</summary>
    public bool IsPromiseSynced { get; internal set; } = true;

    /// <summary>How far the log is durable.</summary>
    public ulong SyncedIndex { get; internal set; }

    /// <summary>How far the log is known to be the leader's.</summary>
    public ulong Match { get; internal set; }

    /// <summary>How far the log is known to be committed.</summary>
    public ulong Commit { get; internal set; }

    /// <summary>How far the log is known to be applied.</summary>
    public ulong Applied { get; internal set; }

    /// <summary>The marks at <see cref="Commit"/>.</summary>
    public GroupMarks CommitMarks { get; internal set; }

    /// <summary>The leader in this ballot; -1 if it is not known.</summary>
    public int Leader { get; internal set; } = -1;

    /// <summary>Whether a leader was heard since an election was due last.</summary>
    public bool HearsLeader { get; internal set; }

    /// <summary>Who votes, or would vote, for this candidate.</summary>
    public byte Votes { get; internal set; }

    /// <summary>The index of a leader's own first entry.</summary>
    public ulong First { get; internal set; }

    /// <summary>A leader's latest round of reads.</summary>
    public ulong ReadRound { get; internal set; }

    /// <summary>The latest round that a majority confirmed.</summary>
    public ulong ReadAnswered { get; internal set; }

    /// <summary>The leader's ballot that was confirmed lately, so that nobody else is voted for; none if its term is 0.
    /// </summary>
    public Ballot Held { get; internal set; }

    /// <summary>Whether a vote for anybody but that leader would break a promise.</summary>
    public bool IsHeld => Held.Term > 0;

    /// <summary>Whether a leader has offered its place to another: it must not answer reads without asking any more.
    /// </summary>
    public bool HasOffered { get; internal set; }

    /// <summary>Of who stands because a leader offered its place: that leader's term; otherwise 0.</summary>
    public uint OfferedTerm { get; internal set; }

    /// <summary>Whether a leader may answer reads without asking while a majority's promise lasts.</summary>
    public bool MayLease =>
        Role == GroupRole.Leader && Epoch!.Mode.HasLeases && !HasOffered && !EndsInNext && Applied >= First;

    /// <summary>The epoch whose state is being fetched.</summary>
    public GroupEpoch? Fetching { get; internal set; }

    /// <summary>The index at which that epoch begins.</summary>
    public ulong FetchingIndex { get; internal set; }

    /// <summary>The end of the log.</summary>
    public ulong LastIndex => BaseIndex + (ulong)Log.Count;

    /// <summary>The ballot of the last entry.</summary>
    public Ballot LastBallot => Log.Count > 0 ? Log[^1].Ballot : BaseBallot;

    /// <summary>Whether the log ends its epoch.</summary>
    public bool EndsInNext => Log.Count > 0 && Log[^1].Kind == EntryKind.Next;

    /// <summary>Its position in its epoch; -1 if it is no member.</summary>
    public int Position => Epoch?.PositionOf(Self) ?? -1;

    /// <summary>The point to which it has written.</summary>
    public GroupSync Written => new(Ballot, Voted, LastIndex, LastBallot, Birth, Refused.Count, Recovery, IsDecided);

    /// <summary>How much of the group's state is here: the ballot and index of its end. Of a store that left before
    /// the end of its epoch the ballot is not known.</summary>
    public (Ballot Ballot, ulong Index) Extent =>
        IsDropped || Epoch is null ? default
        : HasEnd ? (LastBallot, LastIndex)
        : (default, Applied);

    /// <summary>The entry at an index behind <see cref="BaseIndex"/>.</summary>
    public GroupEntry EntryAt(ulong index) => Log[(int)(index - BaseIndex - 1)];

    /// <summary>The ballot of the entry at an index from <see cref="BaseIndex"/> on.</summary>
    public Ballot BallotAt(ulong index) => index == BaseIndex ? BaseBallot : EntryAt(index).Ballot;

    /// <summary>The marks at the end of the log.</summary>
    public GroupMarks LastMarks
    {
        get
        {
            GroupMarks marks = CommitMarks;
            for (ulong index = Commit + 1; index <= LastIndex; index++)
            {
                marks = marks.After(EntryAt(index));
            }

            return marks;
        }
    }

    /// <summary>How far a member is known to this leader to have its log durable.</summary>
    public ulong AcknowledgedBy(int member) => Acked[member];

    /// <summary>Whether it refused a birth.</summary>
    public bool HasRefused(GroupEpoch birth) => Refused.Contains(birth);

    /// <summary>A copy. Entries and epochs, which do not change, are shared.</summary>
    public GroupState Copy()
    {
        GroupState copy = Durable(Self, IsFounding);
        copy.Role = Role;
        copy.IsBirthSynced = IsBirthSynced;
        copy.BirthAccepted = BirthAccepted;
        copy.IsRecoverySynced = IsRecoverySynced;
        copy.RecoverAccepted = RecoverAccepted;
        copy.Planned = Planned;
        copy.PlannedFounding = PlannedFounding;
        copy.IsPromiseSynced = IsPromiseSynced;
        copy.SyncedIndex = SyncedIndex;
        copy.Match = Match;
        copy.Commit = Commit;
        copy.Applied = Applied;
        copy.CommitMarks = CommitMarks;
        copy.Leader = Leader;
        copy.HearsLeader = HearsLeader;
        copy.Votes = Votes;
        copy.First = First;
        copy.ReadRound = ReadRound;
        copy.ReadAnswered = ReadAnswered;
        copy.Held = Held;
        copy.HasOffered = HasOffered;
        copy.OfferedTerm = OfferedTerm;
        copy.Fetching = Fetching;
        copy.FetchingIndex = FetchingIndex;
        copy.Acked = Acked;
        copy.Sent = Sent;
        copy.Confirmed = Confirmed;
        copy.Gone = Gone;
        return copy;
    }

    /// <summary>What a store goes on with after a start, when all that is in this state was durable.</summary>
    /// <param name="applied">An index up to which entries are known to be applied; 0 if none is known.</param>
    public GroupState Restart(ulong applied)
    {
        GroupState state = Durable(Self, IsFounding);
        state.Role =
            Recovery is not null ? GroupRole.Sealed
            : Epoch is null ? GroupRole.Unborn
            : Position < 0 || IsDropped ? GroupRole.Ended
            : GroupRole.Follower;
        (state.SyncedIndex, state.Match, state.Commit) = (LastIndex, BaseIndex, BaseIndex);
        (state.CommitMarks, state.Applied) = (BaseMarks, applied);

        // It may have confirmed a leader, and does not know which.
        state.Held = Epoch is { Mode.HasLeases: true } ? Ballot with { Term = uint.MaxValue } : default;

        // What the others have said may be lost; they say it again.
        state.BirthAccepted = Birth is null ? (byte)0 : (byte)(1 << Birth.PositionOf(Self));
        state.RecoverAccepted = Recovery is null ? (byte)0 : (byte)(1 << Recovery.PlaceOf(Self));
        return state;
    }

    /// <summary>All of it in words: equal for equal states.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        void Add(string name, object? value) =>
            text.Append(CultureInfo.InvariantCulture, $"{name} {value}").Append(';');

        Add("store", Self);
        Add("founding", IsFounding);
        Add("role", Role);
        Add("ballot", $"{Ballot} {Voted} {IsPromiseSynced}");
        Add("base", $"{BaseIndex} {BaseBallot} {BaseMarks.Away} {BaseMarks.Whole}");
        Add("epoch", $"{EpochIndex} {EndedBallot} {IsDropped} {HasEnd} {GroupText.Of(Epoch)}");
        Add("log", GroupText.Of(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(Log)));
        Add("known", $"{SyncedIndex} {Match} {Commit} {Applied} {CommitMarks.Away} {CommitMarks.Whole}");
        Add("leader", $"{Leader} {HearsLeader} {Votes} {First} {ReadRound} {ReadAnswered}");
        Add("held", $"{Held} {HasOffered} {OfferedTerm}");
        Add("fetching", $"{GroupText.Of(Fetching)} {FetchingIndex}");
        Add("birth", $"{GroupText.Of(Birth)} {IsBirthSynced} {BirthAccepted}");
        Add("planned", $"{GroupText.Of(Planned)} {PlannedFounding}");
        Add("recovery", $"{GroupText.Of(Recovery)} {IsDecided} {IsRecoverySynced} {RecoverAccepted}");
        Add("memory", $"{IsInMemory} {Gone} {string.Join(' ', Over)}");
        foreach (GroupEpoch refused in Refused)
        {
            Add("refused", GroupText.Of(refused));
        }

        for (int member = 0; member < GroupEpoch.MostMembers; member++)
        {
            Add("member", $"{Acked[member]} {Sent[member]} {Confirmed[member]}");
        }

        return text.ToString();
    }

    private GroupState Durable(StoreId self, bool isFounding)
    {
        var state = new GroupState(self, isFounding)
        {
            Birth = Birth,
            Recovery = Recovery,
            IsDecided = IsDecided,
            Epoch = Epoch,
            Ballot = Ballot,
            Voted = Voted,
            BaseIndex = BaseIndex,
            BaseBallot = BaseBallot,
            BaseMarks = BaseMarks,
            EpochIndex = EpochIndex,
            EndedBallot = EndedBallot,
            IsDropped = IsDropped,
            HasEnd = HasEnd,
            IsInMemory = IsInMemory,
        };
        state.Log.AddRange(Log);
        state.Refused.AddRange(Refused);
        state.Over.AddRange(Over);
        return state;
    }
}

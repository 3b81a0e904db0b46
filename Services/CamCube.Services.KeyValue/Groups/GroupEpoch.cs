namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// The members of a group from one change of members to the next: fixed stores, 1 to 5, the preferred leader first.
/// Immutable; equal if all is.
/// </summary>
internal sealed class GroupEpoch : IEquatable<GroupEpoch>
{
    /// <summary>The most members a group has.</summary>
    public const int MostMembers = 5;

    private readonly StoreId[] _members;
    private readonly StoreId[] _leaving;
    private readonly StoreId[] _banned;

    /// <summary>Makes an epoch.</summary>
    /// <param name="number">Its number, from 1.</param>
    /// <param name="members">Its members, 1 to 5.</param>
    /// <param name="marks">What they are when it begins.</param>
    /// <param name="leaving">Members of the epoch before that are none of this one.</param>
    /// <param name="mode">What the group promises.</param>
    /// <param name="generation">How often stores that were gone for good were given up before it.</param>
    /// <param name="banned">All of those.</param>
    public GroupEpoch(
        uint number,
        ReadOnlySpan<StoreId> members,
        GroupMarks marks,
        ReadOnlySpan<StoreId> leaving = default,
        GroupMode mode = default,
        uint generation = 0,
        ReadOnlySpan<StoreId> banned = default
    )
    {
        ArgumentOutOfRangeException.ThrowIfZero(number);
        ArgumentOutOfRangeException.ThrowIfZero(members.Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(members.Length, MostMembers);
        (Number, Marks, Mode, _members, _leaving) = (number, marks, mode, members.ToArray(), leaving.ToArray());
        (Generation, _banned) = (generation, banned.ToArray());
    }

    /// <summary>Its number, from 1.</summary>
    public uint Number { get; }

    /// <summary>Grows when stores that are gone for good are given up by hand (<see cref="GroupRecovery"/>). Of a group
    /// in memory: the birth that it is of; epochs of two generations have nothing to do with each other.</summary>
    public uint Generation { get; }

    /// <summary>The first ballot in it: nobody leads in that.</summary>
    public Ballot First => new(Generation, Number, 0);

    /// <summary>What its members are when it begins.</summary>
    public GroupMarks Marks { get; }

    /// <summary>What the group promises, in this epoch as in all others.</summary>
    public GroupMode Mode { get; }

    /// <summary>Its members.</summary>
    public ReadOnlySpan<StoreId> Members => _members;

    /// <summary>Members of the epoch before that are none of this one. They keep their data until all members of this
    /// one are whole.</summary>
    public ReadOnlySpan<StoreId> Leaving => _leaving;

    /// <summary>Stores that were given up, ever: none of them is a member again.</summary>
    public ReadOnlySpan<StoreId> Banned => _banned;

    /// <summary>How many members decide.</summary>
    public int Majority => (_members.Length / 2) + 1;

    /// <summary>The position of a store among the members; -1 if it is none.</summary>
    public int PositionOf(StoreId store) => Array.IndexOf(_members, store);

    /// <summary>Whether a store was given up.</summary>
    public bool IsBanned(StoreId store) => Array.IndexOf(_banned, store) >= 0;

    /// <summary>Whether it comes after another one of its group. What is of an earlier generation comes before,
    /// whatever its number is.</summary>
    public bool IsAfter(GroupEpoch? other) => other is null || First > other.First;

    /// <summary>Whether a set of members, one bit each, decides.</summary>
    public bool IsMajority(uint members) => System.Numerics.BitOperations.PopCount(members) >= Majority;

    /// <inheritdoc/>
    public bool Equals(GroupEpoch? other) =>
        other is not null
        && (
            ReferenceEquals(this, other)
            || (
                Number == other.Number
                && Marks == other.Marks
                && Mode == other.Mode
                && Members.SequenceEqual(other.Members)
                && Leaving.SequenceEqual(other.Leaving)
                && Generation == other.Generation
                && Banned.SequenceEqual(other.Banned)
            )
        );

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as GroupEpoch);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)Number;

    /// <inheritdoc/>
    public override string ToString() => GroupText.Of(this);
}

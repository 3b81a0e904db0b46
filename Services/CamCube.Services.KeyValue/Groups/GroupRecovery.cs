namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// How a group goes on without a majority of its stores, which are gone for good: what the base has is what there is.
/// It is proposed by hand, and takes effect once all who are asked have it durable. Immutable; equal if all is.
/// </summary>
internal sealed class GroupRecovery : IEquatable<GroupRecovery>
{
    /// <summary>The most stores that are asked: one bit each.</summary>
    public const int MostAsked = 8;

    private readonly StoreId[] _asked;

    /// <summary>Makes one.</summary>
    /// <param name="next">The epoch that begins with it: of a later generation, without the stores that are lost, which
    /// it bans.</param>
    /// <param name="asked">Who has to agree: the base, all members before that are not lost, and all that are members
    /// then.</param>
    /// <param name="from">The store whose state it is.</param>
    /// <param name="index">The end of that state.</param>
    /// <param name="ballot">The ballot of the entry there; none if it is not known.</param>
    public GroupRecovery(GroupEpoch next, ReadOnlySpan<StoreId> asked, StoreId from, ulong index, Ballot ballot)
    {
        ArgumentOutOfRangeException.ThrowIfZero(next.Generation);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(asked.Length, MostAsked);
        ArgumentOutOfRangeException.ThrowIfNegative(asked.IndexOf(from));
        (Next, _asked, Base, Index, Ballot) = (next, asked.ToArray(), from, index, ballot);
    }

    /// <summary>The epoch that begins with it.</summary>
    public GroupEpoch Next { get; }

    /// <summary>Who has to agree.</summary>
    public ReadOnlySpan<StoreId> Asked => _asked;

    /// <summary>The store whose state it is.</summary>
    public StoreId Base { get; }

    /// <summary>The end of that state.</summary>
    public ulong Index { get; }

    /// <summary>The ballot of the entry there; none if it is not known.</summary>
    public Ballot Ballot { get; }

    /// <summary>The place of a store among those who are asked; -1 if it is none.</summary>
    public int PlaceOf(StoreId store) => Array.IndexOf(_asked, store);

    /// <summary>All who are asked, one bit each.</summary>
    public byte All => (byte)((1 << _asked.Length) - 1);

    /// <summary>Whether it goes before another that would begin the same generation: the one with more, and of two that
    /// have as much always the same one.</summary>
    public bool GoesBefore(GroupRecovery other)
    {
        int order = Ballot.CompareTo(other.Ballot);
        order = order != 0 ? order : Index.CompareTo(other.Index);
        return order > 0 || (order == 0 && Base.Server.Packed < other.Base.Server.Packed);
    }

    /// <inheritdoc/>
    public bool Equals(GroupRecovery? other) =>
        other is not null
        && (
            ReferenceEquals(this, other)
            || (
                Base == other.Base
                && Index == other.Index
                && Ballot == other.Ballot
                && Next.Equals(other.Next)
                && Asked.SequenceEqual(other.Asked)
            )
        );

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as GroupRecovery);

    /// <inheritdoc/>
    public override int GetHashCode() => (int)Index;

    /// <inheritdoc/>
    public override string ToString() => GroupText.Of(this);
}

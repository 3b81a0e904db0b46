namespace CamCube.Services.KeyValue.Groups;

/// <summary>
/// Who may lead: in each ballot at most one member does. Later ones are greater. The epoch is a part of it, so that
/// nothing that was said by members of one epoch counts in another.
/// </summary>
/// <param name="Generation">Grows when stores that are gone for good are given up by hand.</param>
/// <param name="Epoch">The number of the epoch, from 1.</param>
/// <param name="Term">The number of the election in it; 0 before the first.</param>
internal readonly record struct Ballot(uint Generation, uint Epoch, uint Term) : IComparable<Ballot>
{
    /// <summary>The ballot after this one in its epoch.</summary>
    public Ballot Next => this with { Term = Term + 1 };

    /// <inheritdoc/>
    public int CompareTo(Ballot other)
    {
        int order = Generation.CompareTo(other.Generation);
        order = order != 0 ? order : Epoch.CompareTo(other.Epoch);
        return order != 0 ? order : Term.CompareTo(other.Term);
    }

    /// <summary>Whether one ballot is earlier than another.</summary>
    public static bool operator <(Ballot left, Ballot right) => left.CompareTo(right) < 0;

    /// <summary>Whether one ballot is later than another.</summary>
    public static bool operator >(Ballot left, Ballot right) => left.CompareTo(right) > 0;

    /// <summary>Whether one ballot is not later than another.</summary>
    public static bool operator <=(Ballot left, Ballot right) => left.CompareTo(right) <= 0;

    /// <summary>Whether one ballot is not earlier than another.</summary>
    public static bool operator >=(Ballot left, Ballot right) => left.CompareTo(right) >= 0;

    /// <inheritdoc/>
    public override string ToString() => $"({Generation},{Epoch},{Term})";
}

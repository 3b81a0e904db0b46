namespace CamCube.Services.KeyValue.Groups;

/// <summary>What a group promises beside what all do. It is decided with its birth, and the same in all its epochs, so
/// all members mean the same, whatever their settings say.</summary>
/// <param name="IsByMajority">What a majority has is applied; otherwise what every member has that is not away.</param>
/// <param name="LeaseMicros">How long who says that a leader leads grants nobody else a vote, in microseconds of any
/// clock that is no faster than is assumed; 0: not at all, and the leader asks for each read.</param>
/// <param name="IsInMemory">Nothing survives a member's start: it is another store then, and all that the one before
/// had and promised is gone with it. So a group whose majority is gone never goes on, and begins anew.</param>
internal readonly record struct GroupMode(bool IsByMajority, uint LeaseMicros, bool IsInMemory = false)
{
    /// <summary>Whether a leader may answer reads without asking, for a time.</summary>
    public bool HasLeases => LeaseMicros > 0;
}

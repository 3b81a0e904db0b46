using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Who brings states from one server to another. Called on the loop, within a step; must not step a group
/// itself.</summary>
internal interface IStateDuty
{
    /// <summary>A member needs the state, for the log here does not go back so far.</summary>
    void Offer(Member member, Coordinate to);

    /// <summary>This server needs the state at the beginning of an epoch.</summary>
    void Fetch(Member member, GroupEpoch epoch, ulong index);

    /// <summary>A range of the log is not as it was written.</summary>
    void Rotten(LogKeeper keeper, uint segment, long from, long to);

    /// <summary>What a key has cannot be read here: it is brought from another member.</summary>
    /// <returns>Whether it may be read again.</returns>
    ValueTask<bool> MendAsync(uint group, UInt128 key);
}

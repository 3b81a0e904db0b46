using System.Runtime.InteropServices;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>
/// What two servers tell each other of all groups that they share: sums over those groups, which are equal on both
/// sides when both mean the same. 40 bytes, little-endian.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal record struct BeatContent
{
    public const int Size = 40;

    /// <summary>Over the groups that the sender leads and the receiver is a member of: their ballots.</summary>
    public ulong LeadBallots;

    /// <summary>The same: how far they are applied.</summary>
    public ulong LeadApplied;

    /// <summary>Over the groups in which the sender follows the receiver: their ballots.</summary>
    public ulong FollowBallots;

    /// <summary>The same: how far they are applied.</summary>
    public ulong FollowApplied;

    /// <summary>1: the sender is about to stop, and should not lead.</summary>
    public uint IsLeaving;

    /// <summary>1: the sender serves clients.</summary>
    public uint IsServing;
}

namespace CamCube.Runtime.Engine;

/// <summary>The part of a service's place that a hop touches. A base class for the same reason as
/// <see cref="HopState"/>.</summary>
internal abstract class HopSlot(int index, int server, int headerLength)
{
    /// <summary>Who gets packets: the instance, or the stand-in that lets packets pass while there is none (so the hot
    /// path has no state check), either with an observer in front.</summary>
    public ICamCubeService Service = ServiceSlot.StandIn.Instance;

    public readonly ulong Bit = 1UL << index;
    public long Arrived;
    public long Sent;
    public readonly int Index = index;
    public int HeaderLength = headerLength;
    public readonly uint CallbackOwner = OwnerWords.Make(PacketState.Callback, index, server);
    public readonly uint QueuedOwner = OwnerWords.Make(PacketState.Queued, index, server);
    public readonly uint HeldOwner = OwnerWords.Make(PacketState.Held, index, server);

    /// <summary>Links for which any of its sources declared something.</summary>
    public int SourceReady;
}

namespace CamCube.Runtime.Engine;

/// <summary>Service id to slot, shared by all servers with the same list (64 KiB once, not per server). Replaced, never
/// changed.</summary>
internal sealed class ServiceMap
{
    /// <summary>No such service.</summary>
    public const byte None = byte.MaxValue;

    public static readonly ServiceMap Empty = new();

    public readonly byte[] SlotOf = new byte[65_536];

    public ServiceMap() => Array.Fill(SlotOf, None);

    public ServiceMap With(ServiceId id, byte slot)
    {
        var map = new ServiceMap();
        SlotOf.CopyTo(map.SlotOf, 0);
        map.SlotOf[id.Value] = slot;
        return map;
    }
}

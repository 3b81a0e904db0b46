namespace CamCube.Messaging.Pieces;

/// <summary>A message from this server to itself: whole at once, without packets.</summary>
internal sealed class SelfDelivery<THeader>
    where THeader : unmanaged, IMessageHeader<THeader>
{
    public THeader Header { get; set; }

    public uint Sequence { get; set; }

    public OwnedBytes Bytes { get; set; }
}

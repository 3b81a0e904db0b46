namespace CamCube.Runtime.Engine;

/// <summary>Packets for this very server, linked through themselves.</summary>
internal sealed class LocalQueue
{
    private Packet? _head;
    private Packet? _tail;

    public int Count { get; private set; }

    public void Add(Packet packet)
    {
        packet.Next = null;
        if (_head is null)
        {
            _head = packet;
        }
        else
        {
            _tail!.Next = packet;
        }

        _tail = packet;
        Count++;
    }

    public Packet Take()
    {
        Packet packet = _head!;
        _head = packet.Next;
        packet.Next = null;
        Count--;
        return packet;
    }
}

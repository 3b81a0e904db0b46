using CamCube.Messaging;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees.Tests;

/// <summary>Opens streams where pulls are expected, and says in them what it likes.</summary>
public sealed class Stranger : IStreamHandler
{
    private readonly List<ReliableStream> _open = [];

    public Stranger(IServer server) => Streams = new StreamEndpoint<Leaf>(server, new StreamOptions(), this);

    public StreamEndpoint<Leaf> Streams { get; }

    /// <summary>Streams that the other side has aborted.</summary>
    public int Refused { get; private set; }

    /// <summary>A request as an endpoint writes it, with a position before all.</summary>
    public static byte[] Request(VertexId vertex, ushort length)
    {
        byte[] request = new byte[1 + VertexId.Length + sizeof(ushort) + length];
        request[0] = 1;
        vertex.Write(request.AsSpan(1));
        WriteUInt16LittleEndian(request.AsSpan(1 + VertexId.Length), length);
        return request;
    }

    public void Send(Coordinate to, byte[] bytes)
    {
        Assert.Equal(StreamOpen.Ok, Streams.TryOpen(to, default, out ReliableStream? stream));
        Assert.Equal(bytes.Length, stream!.Write(bytes));
        stream.Complete();
        _open.Add(stream);
    }

    /// <summary>Gives all back that is open.</summary>
    public void Leave()
    {
        _open.ForEach(static s => s.Dispose());
        _open.Clear();
    }

    bool IStreamHandler.OnIncoming(ReliableStream stream) => false;

    void IStreamHandler.OnEnded(ReliableStream stream)
    {
        Refused += stream.End.Reason == StreamEndReason.Reset ? 1 : 0;
        _open.Remove(stream);
        stream.Dispose();
    }
}

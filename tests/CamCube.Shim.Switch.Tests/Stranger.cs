using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;

namespace CamCube.Shim.Switch.Tests;

/// <summary>A connection to a server by hand: what it says is written here a second time, by docs/switch.md.</summary>
internal sealed class Stranger : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
    {
        NoDelay = true,
    };

    public Stranger(IPEndPoint server, int receiveBuffer = 0)
    {
        if (receiveBuffer > 0)
        {
            _socket.ReceiveBufferSize = receiveBuffer;
        }

        _socket.Connect(server);
        _socket.Blocking = false;
    }

    /// <summary>Whether the other end has closed it.</summary>
    public bool IsClosed
    {
        get
        {
            int count = _socket.Receive(new byte[4_096], SocketFlags.None, out SocketError error);
            return error == SocketError.Success ? count == 0 : error != SocketError.WouldBlock;
        }
    }

    /// <summary>A greeting as the servers of a cube write it.</summary>
    public static byte[] Greeting(
        TorusShape shape,
        int from,
        int to,
        string cluster = "camcube",
        int maxFrame = 9_014,
        byte version = 1
    )
    {
        using MemoryStream bytes = new();
        using BinaryWriter writer = new(bytes);
        writer.Write("CCSW"u8);
        writer.Write(version);
        writer.Write((byte)0);
        writer.Write((ushort)maxFrame);
        ushort[] words =
        [
            shape.ParallelCables ? (ushort)1 : (ushort)0,
            (ushort)shape.Z,
            (ushort)shape.Y,
            (ushort)shape.X,
        ];
        Array.ForEach(words, writer.Write);
        foreach (int rank in new[] { from, to })
        {
            Coordinate place = shape.At(rank);
            Array.ForEach([(ushort)0, place.Z, place.Y, place.X], writer.Write);
        }

        writer.Write(SHA256.HashData(Encoding.UTF8.GetBytes(cluster)));
        return bytes.ToArray();
    }

    /// <summary>A record with a frame, or with another length than it says.</summary>
    public static byte[] Record(Link link, byte[] frame, int? says = null, byte last = 0) =>
        [(byte)(says ?? frame.Length), (byte)((says ?? frame.Length) >> 8), (byte)link, last, .. frame];

    /// <summary>Sends as much as the system takes.</summary>
    public void Send(byte[] bytes) => _socket.Send(bytes, SocketFlags.None, out _);

    public void Dispose() => _socket.Dispose();
}

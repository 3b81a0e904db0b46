using System.Buffers.Binary;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Flooding;
using CamCube.Services.Tunnel.Frames;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Numbered frames for all or many, of three kinds, and what is right about those that come.</summary>
internal sealed class FloodTraffic
{
    private readonly TunnelCube _cube;
    private readonly List<(int From, byte[] Frame)> _sent = [];
    private readonly HashSet<(int Rank, int Number)> _received = [];

    public FloodTraffic(TunnelCube cube)
    {
        _cube = cube;
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            Listen(rank);
        }
    }

    /// <summary>Frames that came, at all servers together.</summary>
    public int Received => _received.Count;

    /// <summary>From now on what a server's card is given is looked at.</summary>
    public void Listen(int rank) => _cube.CardOf(rank).Received = frame => Note(rank, frame);

    /// <summary>A server's machine sends the next frame.</summary>
    public void Send(int rank, int length)
    {
        byte[] frame = Frame(_cube, rank, _sent.Count % 3, _sent.Count, length);
        _sent.Add((rank, [.. frame]));
        _cube.CardOf(rank).Send(frame);
    }

    /// <summary>Every server but these has every frame of others.</summary>
    public void AssertEverybodyHasAll(params int[] dead)
    {
        for (int rank = 0; rank < _cube.Shape.Count; rank++)
        {
            for (int number = 0; number < _sent.Count; number++)
            {
                bool isWanted = !dead.Contains(rank) && _sent[number].From != rank;
                Assert.True(
                    isWanted == _received.Contains((rank, number)),
                    $"{number} of {_sent[number].From} at {rank}"
                );
            }
        }
    }

    /// <summary>A UDP datagram: to 255.255.255.255 or the network's last address, to mDNS's group, or, over IPv6, to
    /// all nodes.</summary>
    public static byte[] Frame(TunnelCube cube, int rank, int kind, int number, int length)
    {
        Coordinate from = cube.Shape.At(rank);
        byte[] frame =
            kind % 3 == 2
                ? MachineFrame.Datagram6(cube.Addresses, from, from, 1, number, 4 + length)
                : MachineFrame.Datagram4(cube.Addresses, from, from, 1, number, 4 + length);
        Span<byte> ethernet = frame.AsSpan(VirtioHeader.Length),
            ip = frame.AsSpan(MachineFrame.Head);
        if (kind % 3 == 2)
        {
            TunnelAddresses.WriteEthernet(0x3333_0000_0001, ethernet);
            ip.Slice(24, 16).Clear();
            (ip[24], ip[25], ip[39]) = (0xFF, 2, 1);
            return frame;
        }

        uint to =
            kind % 3 == 1 ? 0xE000_00FB
            : number % 2 == 0 ? uint.MaxValue
            : 0x0A4D_FFFF;
        TunnelAddresses.WriteEthernet(kind % 3 == 1 ? 0x0100_5E00_00FBul : GroupAddress.Broadcast, ethernet);
        BinaryPrimitives.WriteUInt32BigEndian(ip[16..], to);
        InternetSum.WriteHeader4(ip[..20]);
        return frame;
    }

    private void Note(int rank, ReadOnlySpan<byte> frame)
    {
        bool is6 = frame[MachineFrame.Head] >> 4 == 6;
        int number = BinaryPrimitives.ReadInt32BigEndian(
            frame[(is6 ? MachineFrame.DatagramHead6 : MachineFrame.DatagramHead4)..]
        );
        if (number >= _sent.Count)
        {
            return;
        }

        Assert.True(frame.SequenceEqual(_sent[number].Frame), $"{number} was changed");
        Assert.NotEqual(_sent[number].From, rank);
        Assert.True(_received.Add((rank, number)), $"{number} came twice to {rank}");
    }
}

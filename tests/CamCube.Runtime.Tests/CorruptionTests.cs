using CamCube.Runtime.Engine;

namespace CamCube.Runtime.Tests;

/// <summary>What one turned bit does to a packet, for each of its bits.</summary>
public sealed class CorruptionTests
{
    [Fact]
    public void Every_bit_of_a_packet_changes_one_thing_or_makes_it_unreadable_and_copies_of_its_body_stay_as_they_are()
    {
        var script = new Script();
        using var server = new BareServer(new TorusShape(3, 3, 3), 0, script.Define(0x0302));
        PacketPool pool = server.Context.Pool;
        int outstanding = pool.Outstanding,
            bodies = pool.OutstandingBodies;
        byte[] body = [.. Enumerable.Range(1, 40).Select(i => (byte)i)];
        const int Bits = (4 + 24 + 8 + 40) * 8;
        int readable = 0,
            changedBodies = 0,
            changedHeaders = 0;
        for (ulong bit = 0; bit < Bits; bit++)
        {
            Packet packet = Make(pool, body),
                twin = server.Port.Copy(packet);
            byte[] before = Frame(server, packet);
            bool isReadable = server.Port.Corrupt(packet, bit + (Bits * 3));
            byte[] after = Frame(server, packet);
            int turned = before.Zip(after).Sum(p => System.Numerics.BitOperations.PopCount((uint)(p.First ^ p.Second)));

            // The two reserved bytes of a packet are read by nobody.
            bool changes = isReadable && bit is < 26 * 8 or >= 28 * 8;
            Assert.True(
                changes ? turned >= 1 || after.Length != before.Length : turned == 0 && after.Length == before.Length,
                $"bit {bit}"
            );
            Assert.Equal(before, Frame(server, twin));
            readable += isReadable ? 1 : 0;
            changedHeaders += isReadable && after[28..36].AsSpan().IndexOfAnyExcept((byte)5) >= 0 ? 1 : 0;
            changedBodies += bit >= 36 * 8 && turned == 1 ? 1 : 0;
            server.Port.Lose(packet);
            server.Port.Lose(twin);
        }

        Assert.Equal(8 * 40, changedBodies);
        Assert.True(changedHeaders >= 8 * 8);

        // Version, flags and length of the frame, most of the length of the packet, and addresses outside the cube.
        Assert.InRange(Bits - readable, 64, 160);
        Assert.Equal(outstanding, pool.Outstanding);
        Assert.Equal(bodies, pool.OutstandingBodies);
    }

    private static Packet Make(PacketPool pool, byte[] body)
    {
        Packet packet = pool.Rent(OwnerWords.Make(PacketState.Wire, OwnerWords.NoSlot, 0));
        packet.CopyFrom(new Packet());
        (packet.ServiceWord, packet.HeaderBytes, packet.HopsLeft) = (0x0302, 8, 9);
        packet.Route = new Coordinate(1, 1, 1).Packed;
        System.Runtime.InteropServices.MemoryMarshal.CreateSpan(ref packet.HeaderStart(), 8).Fill(5);
        packet.Buffer = pool.RentBody(body.Length);
        (packet.BodyOffset, packet.BodyBytes) = (0, body.Length);
        body.CopyTo(packet.Buffer.Bytes.AsSpan());
        return packet;
    }

    private static byte[] Frame(BareServer server, Packet packet)
    {
        byte[] frame = new byte[2_000];
        return frame[..server.Port.Encode(server.Port.Copy(packet), frame)];
    }
}

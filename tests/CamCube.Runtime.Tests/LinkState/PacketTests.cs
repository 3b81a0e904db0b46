using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Runtime.Core;
using CamCube.Tests;
using CamCube.Topology;

namespace CamCube.Runtime.Tests.LinkState;

public sealed class PacketTests
{
    private const long Ms = LinkStateCube.Millisecond;

    [Fact]
    public void The_header_has_the_bytes_of_the_wire_contract()
    {
        var header = new LinkStateHeader
        {
            Flags = LinkStateFlags.Hears | LinkStateFlags.Batch | LinkStateFlags.Unsynchronised,
            Number = 0x01020304,
            Heard = 0x61626364,
            Acknowledged = 0x05060708,
            Incarnation = 0x1112131415161718,
            ReceiverIncarnation = 0x2122232425262728,
            Digest = 0x3132333435363738,
            LostSequence = 0x41424344,
            LostIncarnation = 0x5152535455565758,
        };
        Assert.Equal(LinkStateService.HeaderLength, Unsafe.SizeOf<LinkStateHeader>());
        Assert.Equal(
            "13000000"
                + "04030201"
                + "64636261"
                + "08070605"
                + "44434241"
                + "1817161514131211"
                + "2827262524232221"
                + "3837363534333231"
                + "5857565554535251",
            Convert.ToHexString(MemoryMarshal.AsBytes(new ReadOnlySpan<LinkStateHeader>(in header)))
        );
    }

    [Fact]
    public void An_entry_has_the_bytes_of_the_wire_contract_and_comes_back()
    {
        var shape = new TorusShape(300, 3, 4);
        var entry = new CubeEntry(new(0x0102, 1, 3), 0x0102030405060708, 0x0A0B0C0D, 0x41);
        var body = new byte[20];
        EntryCodec.Write(body, entry);
        Assert.Equal("02010100" + "0300" + "0807060504030201" + "0D0C0B0A" + "41" + "00", Convert.ToHexString(body));
        var read = new List<CubeEntry>();
        Assert.True(EntryCodec.TryRead(body, shape, read));
        Assert.Equal([entry], read);
    }

    [Theory]
    [InlineData(0, 9)]
    [InlineData(2, 9)]
    [InlineData(18, 0x80)]
    [InlineData(18, 0x30)]
    [InlineData(19, 1)]
    [InlineData(13, 0x80)]
    public void Entries_that_no_server_of_the_cube_can_have_sent_are_refused(int at, byte value)
    {
        var shape = new TorusShape(3, 3, 2, parallelCables: false);
        var body = new byte[20];
        EntryCodec.Write(body, new CubeEntry(new(1, 1, 1), 5, 1, 0x6F));
        Assert.True(EntryCodec.TryRead(body, shape, []));
        body[at] = value;
        Assert.False(EntryCodec.TryRead(body, shape, []));
        Assert.False(EntryCodec.TryRead(new byte[20], shape, []));
        Assert.False(EntryCodec.TryRead(new byte[19], shape, []));
    }

    [Fact]
    public void No_bytes_make_the_service_throw_and_the_cube_recovers_from_all_of_them() =>
        FuzzInputs.Run(
            (random, count) =>
            {
                // A cube for each 5,000.
                const int Inputs = 5_000;
                for (int run = 0; run < count / Inputs; run++)
                {
                    LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 2), isCommissioned: run % 2 == 0);
                    for (int i = 0; i < Inputs; i++)
                    {
                        TestServer to = cube[random.Next(cube.Shape.Count)];
                        var on = (Link)random.Next(Links.Cables);
                        byte[] header = Header(random, cube, to, on),
                            body = Body(random, cube);
                        Coordinate source =
                            random.Next(10) == 0
                                ? cube.Shape.At(random.Next(cube.Shape.Count))
                                : cube.Shape.Step(to.Coordinate, on);
                        to.Receive(on, header, body, source);
                        if (i % 50 == 0)
                        {
                            cube.Run(Ms);
                        }
                    }

                    Assert.True(cube.Verdicts[(int)VerdictKind.Drop] > 50);
                    Assert.Equal(
                        cube.Verdicts.Sum(),
                        cube.Verdicts[(int)VerdictKind.Drop] + cube.Verdicts[(int)VerdictKind.Consume]
                    );

                    // False incarnations stay known until they were silent for a detection time; then the true ones are
                    // believed.
                    cube.RunUntil(cube.IsWhole, 5_000 * Ms);
                    cube.AssertNoLeak();
                }
            }
        );

    [Fact]
    public void Packets_that_did_not_come_from_the_neighbour_are_dropped()
    {
        LinkStateCube cube = FailureTests.Settled(new TorusShape(3, 3, 1), isCommissioned: true);
        int before = cube.Verdicts[(int)VerdictKind.Drop];
        cube[0].Receive(Link.XPlus, new byte[52], [], new(2, 2, 0));
        cube[0].Receive(Link.ZPlus, new byte[52], [], new(0, 0, 0));
        cube[0].Receive(Link.Local, new byte[52], [], new(0, 0, 0));
        Assert.Equal(before + 3, cube.Verdicts[(int)VerdictKind.Drop]);
        Assert.Equal(3, cube.Counters["misdirected"].Value);
        cube[0].Receive(Link.XPlus, new byte[52], [], new(1, 0, 0));
        Assert.Equal(before + 4, cube.Verdicts[(int)VerdictKind.Drop]);
        Assert.True(cube.IsWhole());
    }

    private static byte[] Header(Random random, LinkStateCube cube, TestServer to, Link on)
    {
        var header = new byte[random.Next(20) == 0 ? random.Next(64) : 52];
        random.NextBytes(header);
        if (header.Length >= 52 && random.Next(3) != 0)
        {
            TestServer? neighbour = cube.Servers[cube.Shape.RankOf(cube.Shape.Step(to.Coordinate, on))];
            var sound = new LinkStateHeader
            {
                Flags = (LinkStateFlags)random.Next(64),
                Number = (uint)random.Next(200),
                Heard = (uint)random.Next(200),
                Acknowledged = (uint)random.Next(200),
                Incarnation = neighbour!.Incarnation + (ulong)random.Next(2),
                ReceiverIncarnation = random.Next(2) == 0 ? to.Incarnation : 0,
                Digest = (ulong)random.NextInt64(),
                LostIncarnation = (ulong)random.Next(4),
                LostSequence = (uint)random.Next(20),
            };
            MemoryMarshal.Write(header, in sound);
        }

        return header;
    }

    private static byte[] Body(Random random, LinkStateCube cube)
    {
        if (random.Next(4) == 0)
        {
            var junk = new byte[random.Length(8_900)];
            random.NextBytes(junk);
            return junk;
        }

        var body = new byte[(random.Next(20) == 0 ? random.Next(400) : random.Next(6)) * EntryCodec.Length];
        for (int at = 0; at < body.Length; at += EntryCodec.Length)
        {
            Coordinate server = cube.Shape.At(random.Next(cube.Shape.Count));
            var bits = (byte)(random.Next(128) & (cube.Shape.CabledLinks(server).Bits | 0x40));
            ulong incarnation = (ulong)random.NextInt64(1, random.Next(3) == 0 ? long.MaxValue : 4);
            uint sequence = random.Next(4) == 0 ? uint.MaxValue : (uint)random.Next(1, 50);
            EntryCodec.Write(body.AsSpan(at), new CubeEntry(server, incarnation, sequence, bits));
        }

        if (random.Next(10) == 0)
        {
            body = random.Bend(body, [], 8_900);
        }

        if (body.Length > 0 && random.Next(5) == 0)
        {
            body[random.Next(body.Length)] ^= (byte)random.Next(256);
        }

        return body;
    }
}

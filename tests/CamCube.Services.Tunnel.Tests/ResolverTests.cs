using System.Buffers.Binary;
using System.Net;
using System.Text;
using CamCube.Services.Tunnel.Addresses;
using CamCube.Services.Tunnel.Names;
using CamCube.Tests;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Names and addresses of servers, and what is no question.</summary>
public sealed class ResolverTests
{
    private const ushort A = 1,
        Soa = 6,
        Ptr = 12,
        Text = 16,
        Aaaa = 28,
        Any = 255;
    private static readonly Resolver Resolver = new(
        new TunnelAddresses(
            new TorusShape(3, 3, 3),
            IPNetwork.Parse("10.77.0.0/16"),
            IPNetwork.Parse("fd37:cc:77::/64")
        ),
        new TorusShape(3, 3, 3)
    );

    [Theory]
    [InlineData("1-2-0.camcube.internal", A, "10.77.0.8")]
    [InlineData("1-2-0.CamCube.INTERNAL", A, "10.77.0.8")]
    [InlineData("0-0-0.camcube.internal", Aaaa, "fd37:cc:77:0:1::")]
    [InlineData("2-2-2.camcube.internal", Aaaa, "fd37:cc:77:0:1:2:2:2")]
    [InlineData("resolver.camcube.internal", A, "10.77.255.253")]
    [InlineData("resolver.camcube.internal", Aaaa, "fd37:cc:77::53")]
    [InlineData("8.0.77.10.in-addr.arpa", Ptr, "1-2-0.camcube.internal")]
    [InlineData("253.255.77.10.in-addr.arpa", Ptr, "resolver.camcube.internal")]
    public void Names_have_addresses_and_addresses_have_names(string name, ushort type, string found)
    {
        (int result, List<(ushort Type, string Data)> answers, _) = Ask(name, type);
        Assert.Equal((0, (type, found)), (result, Assert.Single(answers)));
    }

    [Fact]
    public void Every_server_has_a_name_for_each_of_its_addresses_and_back()
    {
        var shape = new TorusShape(3, 3, 3);
        for (int rank = 0; rank < shape.Count; rank++)
        {
            string name = ServerNames.Of(shape.At(rank));
            (_, List<(ushort Type, string Data)> answers, _) = Ask(name, Any);
            Assert.Equal([A, Aaaa], answers.Select(one => one.Type));
            foreach ((_, string address) in answers)
            {
                byte[] bytes = IPAddress.Parse(address).GetAddressBytes();
                string back =
                    bytes.Length == 4
                        ? $"{bytes[3]}.{bytes[2]}.{bytes[1]}.{bytes[0]}.in-addr.arpa"
                        : $"{string.Join('.', Convert.ToHexStringLower(bytes).Reverse())}.ip6.arpa";
                (_, List<(ushort Type, string Data)> names, _) = Ask(back, Ptr);
                Assert.Equal(name, Assert.Single(names).Data);
            }
        }
    }

    [Theory]
    [InlineData("3-0-0.camcube.internal", A, 3)]
    [InlineData("01-2-0.camcube.internal", A, 3)]
    [InlineData("1-2.camcube.internal", A, 3)]
    [InlineData("1-2-0-0.camcube.internal", A, 3)]
    [InlineData("+1-2-0.camcube.internal", A, 3)]
    [InlineData("99999-2-0.camcube.internal", A, 3)]
    [InlineData("x.1-2-0.camcube.internal", A, 3)]
    [InlineData("28.0.77.10.in-addr.arpa", Ptr, 3)]
    [InlineData("1-2-0.camcube.internal", Text, 0)]
    [InlineData("camcube.internal", A, 0)]
    [InlineData("camcube.internal", Soa, 0)]
    [InlineData("example.org", A, 5)]
    [InlineData("internal", A, 5)]
    [InlineData("1.0.0.127.in-addr.arpa", Ptr, 5)]
    [InlineData("256.0.77.10.in-addr.arpa", Ptr, 5)]
    public void What_is_not_there_is_not_and_for_others_somebody_else_is_to_be_asked(
        string name,
        ushort type,
        int result
    )
    {
        (int came, List<(ushort Type, string Data)> answers, int authorities) = Ask(name, type);
        Assert.Equal(result, came);
        Assert.Equal(type == Soa ? 1 : 0, answers.Count);
        bool isOurs = name.EndsWith("camcube.internal", StringComparison.Ordinal);
        Assert.Equal(isOurs && answers.Count == 0 ? 1 : 0, authorities);
    }

    [Fact]
    public void Cut_at_any_byte_or_with_one_more_or_an_answer_or_a_pointer_it_is_no_question()
    {
        byte[] whole = Query("1-2-0.camcube.internal", A, hasOptions: true);
        byte[] to = new byte[DnsAnswer.MostBytes];
        Assert.NotEqual(0, Resolver.Answer(whole, to));
        for (int length = 0; length < whole.Length; length++)
        {
            Assert.Equal(0, Resolver.Answer(whole.AsSpan(0, length), to));
        }

        Assert.Equal(0, Resolver.Answer([.. whole, 0], to));
        byte[] answer = [.. whole];
        answer[2] |= 0x80;
        Assert.Equal(0, Resolver.Answer(answer, to));

        // Names that lead to themselves: the one that is asked for, and one of a record.
        Assert.Equal(0, Resolver.Answer([.. whole[..12], 0xC0, 12, 0, 1, 0, 1, .. whole[^11..]], to));
        byte[] head = whole[..^11];
        byte at = (byte)head.Length;
        Assert.Equal(0, Resolver.Answer([.. head, 0xC0, at, .. whole[^10..]], to));
        Assert.Equal(0, Resolver.Answer([.. head, 1, (byte)'a', 0xC0, (byte)(at + 2), .. whole[^10..]], to));
        Assert.Equal(0, Resolver.Answer([.. head, 0xC0, 3, .. whole[^10..]], to));
        Assert.NotEqual(0, Resolver.Answer([.. head, 0xC0, 12, .. whole[^10..]], to));

        // A name of 256 bytes, labels of 64, and more records than there are bytes.
        Assert.Equal(0, Resolver.Answer(Query(string.Join('.', Enumerable.Repeat("abc", 64)), A), to));
        Assert.Equal(0, Resolver.Answer(Query(new string('a', 64) + ".camcube.internal", A), to));
        BinaryPrimitives.WriteUInt16BigEndian(whole.AsSpan(6), ushort.MaxValue);
        Assert.Equal(0, Resolver.Answer(whole, to));
    }

    [Fact]
    public void Whatever_comes_there_is_no_fault_and_an_answer_repeats_its_question()
    {
        byte[][] good =
        [
            Query("1-2-0.camcube.internal", Any, hasOptions: true),
            Query("8.0.77.10.in-addr.arpa", Ptr),
            Query("example.org", A, hasOptions: true),
        ];
        byte[] to = new byte[DnsAnswer.MostBytes];
        int answered = 0;
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < count; i++)
                {
                    byte[] bent = random.Bend(good[i % 3], good[random.Next(3)], 700);
                    int length = Resolver.Answer(bent, to);
                    if (length > 0)
                    {
                        answered++;
                        Assert.InRange(length, 12, DnsAnswer.MostBytes);
                        Assert.Equal(bent[..2], to[..2]);
                        Assert.NotEqual(0, to[2] & 0x80);
                    }
                }
            }
        );
        Assert.True(answered > 0);
    }

    [Fact]
    public void Nothing_is_allocated()
    {
        byte[] query = Query("1-2-0.camcube.internal", Any, hasOptions: true),
            back = Query("8.0.77.10.in-addr.arpa", Ptr),
            to = new byte[DnsAnswer.MostBytes];
        Resolver.Answer(query, to);
        Resolver.Answer(back, to);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
        {
            Resolver.Answer(query, to);
            Resolver.Answer(back, to);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    /// <summary>A question.</summary>
    internal static byte[] Query(string name, ushort type, bool hasOptions = false)
    {
        List<byte> bytes = [0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, (byte)(hasOptions ? 1 : 0)];
        foreach (string label in name.Split('.'))
        {
            bytes.Add((byte)label.Length);
            bytes.AddRange(Encoding.ASCII.GetBytes(label));
        }

        bytes.AddRange([0, (byte)(type >> 8), (byte)type, 0, 1]);
        if (hasOptions)
        {
            bytes.AddRange([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
        }

        return [.. bytes];
    }

    private static (int Result, List<(ushort Type, string Data)> Answers, int Authorities) Ask(string name, ushort type)
    {
        byte[] query = Query(name, type, hasOptions: true),
            to = new byte[DnsAnswer.MostBytes];
        int length = Resolver.Answer(query, to);
        ReadOnlySpan<byte> answer = to.AsSpan(0, length);
        Assert.Equal(query[..2], answer[..2]);
        Assert.Equal(query[12..^11], answer[12..(query.Length - 11)]);
        int answers = BinaryPrimitives.ReadUInt16BigEndian(answer[6..]),
            authorities = BinaryPrimitives.ReadUInt16BigEndian(answer[8..]);
        Assert.Equal(1, BinaryPrimitives.ReadUInt16BigEndian(answer[10..]));
        List<(ushort Type, string Data)> found = [];
        int at = query.Length - 11;
        for (int i = 0; i < answers + authorities + 1; i++)
        {
            if ((answer[at] & 0xC0) == 0xC0)
            {
                Assert.Equal(0xC00C, BinaryPrimitives.ReadUInt16BigEndian(answer[at..]));
                at += 2;
            }
            else
            {
                ReadName(answer, ref at);
            }

            ushort kind = BinaryPrimitives.ReadUInt16BigEndian(answer[at..]);
            int bytes = BinaryPrimitives.ReadUInt16BigEndian(answer[(at + 8)..]);
            ReadOnlySpan<byte> data = answer.Slice(at + 10, bytes);
            at += 10 + bytes;
            if (i < answers)
            {
                int none = 0;
                found.Add((kind, kind is A or Aaaa ? $"{new IPAddress(data)}" : ReadName(data, ref none)));
            }
        }

        Assert.Equal(length, at);
        return (answer[3] & 15, found, authorities);
    }

    private static string ReadName(ReadOnlySpan<byte> bytes, ref int at)
    {
        List<string> labels = [];
        while (bytes[at] != 0)
        {
            labels.Add(Encoding.ASCII.GetString(bytes.Slice(at + 1, bytes[at])));
            at += bytes[at] + 1;
        }

        at++;
        return string.Join('.', labels);
    }
}

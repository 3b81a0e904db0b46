using CamCube.Analyzers.Tests.Kit;
using CamCube.Tool.Checks;
using Microsoft.CodeAnalysis;

namespace CamCube.Analyzers.Tests;

/// <summary>CC0003 and CC0004.</summary>
public sealed class PacketTests
{
    [Theory]
    [InlineData("Server.Send(p, to); int n = p.BodyLength;")]
    [InlineData("Server.Packets.Release(p); p.SetBodyLength(1);")]
    [InlineData("Server.Send(p, to); Server.Send(p, to);")]
    [InlineData("Server.Send(to: to, packet: p); int n = p.BodyLength;")]
    [InlineData("Server.Packets.Release(p); Server.Packets.Release(p);")]
    [InlineData("Server.SendVia(p, LinkSet.AllCables); Server.Packets.Release(p);")]
    [InlineData("Server.SendToAll(p, LinkSet.AllCables); p.WritableBody().Clear();")]
    [InlineData("if (flag) { Server.Send(p, to); } int n = p.BodyLength;")]
    [InlineData("for (int i = 0; i < 3; i++) { Server.Send(p, to); }")]
    [InlineData("Server.Send(p, to); Keep(p);")]
    [InlineData("if (Server.Send(p, to) == SendResult.Accepted) { p.HopLimit = 3; }")]
    [InlineData("try { Server.Send(p, to); } catch (InvalidOperationException) { } p.HopLimit = 1;")]
    [InlineData(
        "switch (p.BodyLength) { case 1: Server.Send(p, to); break; default: break; } Server.Packets.Release(p);"
    )]
    public void A_packet_that_was_given_away_is_not_used(string body) =>
        Assert.All(Everywhere.OfService(Method(body)), static said => Assert.Contains("CC0003", said));

    [Theory]
    [InlineData("int n = p.BodyLength; Server.Send(p, to);")]
    [InlineData("if (flag) { Server.Send(p, to); } else { Server.Packets.Release(p); }")]
    [InlineData("if (flag) { Server.Send(p, to); return; } p.HopLimit = 1; Server.Packets.Release(p);")]
    [InlineData("Packet? q = p; if (Server.TrySend(ref q, to) != SendResult.Accepted) { Server.Packets.Release(q!); }")]
    [InlineData("Server.Send(p, to); p = Other(); p.HopLimit = 2; Server.Packets.Release(p);")]
    [InlineData("while (Server.Packets.TryRent(1, out Packet? one)) { one.HopLimit = 1; Server.Send(one, to); }")]
    [InlineData("foreach (Packet one in new List<Packet>()) { one.HopLimit = 1; Server.Send(one, to); }")]
    [InlineData("if (Server.Packets.TryShare(p, out Packet? copy)) { Server.Send(copy, to); } p.HopLimit = 1;")]
    [InlineData("Server.Send(p, to); if (flag) { throw new InvalidOperationException(); }")]
    [InlineData("Keep(p); Server.Send(p, to);")]
    [InlineData("Queue<Packet> all = new(); while (all.TryDequeue(out Packet? one)) { Server.Send(one, to); }")]
    public void What_is_used_before_is_left_alone(string body) =>
        Assert.All(Everywhere.OfService(Method(body)), Assert.Empty);

    [Theory]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { q.HopLimit = 1; }")]
    [InlineData("if (!Server.Packets.TryRent(1, out Packet? q)) { return; } q.HopLimit = 1;")]
    [InlineData("if (Server.Packets.TryRent(packet: out Packet? q, bodyLength: 1)) { q.HopLimit = 1; }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q) && flag) { Server.Send(q, to); }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { if (flag) { return; } Server.Send(q, to); }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { if (flag) { Server.Send(q, to); } }")]
    [InlineData("if (Server.Packets.TryShare(p, out Packet? q)) { int n = q.BodyLength; }")]
    [InlineData("while (Server.Packets.TryRent(1, out Packet? q)) { if (flag) { continue; } Server.Send(q, to); }")]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { q.SetBodyLength(0); Span<byte> b = "
            + "q.WritableBody(); b.Clear(); }"
    )]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { switch (q.BodyLength) { case 1: Server.Send(q, "
            + "to); break; default: break; } }"
    )]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? a) && Server.Packets.TryRent(2, out Packet? b)) { "
            + "Server.Send(a, to); Server.Send(b, to); }"
    )]
    [InlineData("Action go = () => { if (Server.Packets.TryRent(1, out Packet? q)) { q.HopLimit = 1; } }; go();")]
    public void A_packet_that_nobody_gives_back_is_found(string body) =>
        Assert.All(Everywhere.OfService(Method(body)), static said => Assert.Contains("CC0004", said));

    [Theory]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { Server.Send(q, to); }")]
    [InlineData("if (!Server.Packets.TryRent(1, out Packet? q)) { return; } Server.Send(q, to);")]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { if (flag) { Server.Send(q, to); } else { "
            + "Server.Packets.Release(q); } }"
    )]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { Keep(q); }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { _kept.Enqueue(q); }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { _one = q; }")]
    [InlineData("if (flag && Server.Packets.TryRent(1, out Packet? q)) { Server.SendToAll(q, LinkSet.AllCables); }")]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { try { q.HopLimit = 1; } finally { "
            + "Server.Packets.Release(q); } }"
    )]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { Action send = () => Server.Send(q, to); send(); }")]
    [InlineData("bool has = Server.Packets.TryRent(1, out Packet? q); if (has) { Server.Send(q!, to); }")]
    [InlineData("Server.Packets.TryRent(1, out Packet? q); if (q is not null) { Server.Send(q, to); }")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { throw new InvalidOperationException(); }")]
    public void What_is_given_on_is_left_alone(string body) =>
        Assert.All(Everywhere.OfService(Method(body)), Assert.Empty);

    [Fact]
    public void A_packet_that_is_returned_is_the_callers() =>
        Assert.All(
            Everywhere.OfService(
                "private Packet? Make() { if (Server.Packets.TryRent(1, out Packet? q)) { return q; } return null; }"
                    + "private Packet? Or() => Server.Packets.TryRent(1, out Packet? q) ? q : null;"
            ),
            Assert.Empty
        );

    [Theory]
    [InlineData(
        "if (!Server.Packets.TryRent(1, out Packet? q)) { return; } await Later(); if (flag) { Server.Send(q, to); }"
    )]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { await Later(); q.HopLimit = 1; }")]
    [InlineData("await Later(); if (Server.Packets.TryRent(1, out Packet? q)) { q.HopLimit = 1; }")]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { try { await Later(); q.HopLimit = 1; } finally { Done(); } }"
    )]
    [InlineData("for (int i = 0; i < 3; i++) { if (Server.Packets.TryRent(1, out Packet? q)) { await Later(); } }")]
    public void What_is_lost_across_an_await_is_found(string body) =>
        Assert.All(Everywhere.OfService(Async(body)), static said => Assert.Contains("CC0004", said));

    [Theory]
    [InlineData("Server.Send(p, to); await Later(); p.HopLimit = 1;")]
    [InlineData("await Later(); Server.Send(p, to); p.HopLimit = 1;")]
    [InlineData("Packet q = Other(); Server.Send(q, to); await Later(); Server.Packets.Release(q);")]
    [InlineData("if (flag) { await Later(); Server.Packets.Release(p); } Server.Send(p, to);")]
    public void What_is_used_across_an_await_is_found(string body) =>
        Assert.All(Everywhere.OfService(Async(body)), static said => Assert.Contains("CC0003", said));

    [Theory]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { await Later(); Server.Send(q, to); }")]
    [InlineData("if (!Server.Packets.TryRent(1, out Packet? q)) { return; } await Later(); Server.Send(q, to);")]
    [InlineData("while (Server.Packets.TryRent(1, out Packet? q)) { await Later(); Server.Send(q, to); }")]
    [InlineData("await Later(); p.HopLimit = 1; await Later(); Server.Send(p, to);")]
    [InlineData(
        "if (Server.Packets.TryRent(1, out Packet? q)) { try { await Later(); q.HopLimit = 1; } finally { "
            + "Server.Packets.Release(q); } }"
    )]
    [InlineData("Packet? q = await Server.Packets.RentAsync(1); if (q is null) { return; } Server.Send(q, to);")]
    [InlineData("if (Server.Packets.TryRent(1, out Packet? q)) { Keep(q); await Later(); }")]
    [InlineData(
        "for (int i = 0; i < 3 && Server.Packets.TryRent(1, out Packet? q); i++) { Server.Send(q, to); await Later(); }"
    )]
    public void What_is_right_across_an_await_is_left_alone(string body) =>
        Assert.All(Everywhere.OfService(Async(body)), Assert.Empty);

    [Fact]
    public void Compiled_code_is_told_of_at_its_lines_and_where_a_packet_went()
    {
        string source = Analysis.SourceOf(Method("Server.Send(p, to);\nif (flag) {\nint n = p.BodyLength;\n}"), "");
        foreach (OptimizationLevel level in new[] { OptimizationLevel.Debug, OptimizationLevel.Release })
        {
            Breach breach = Assert.Single(Everywhere.Compiled(source, level));
            int sent = source[..source.IndexOf("Server.Send(p", StringComparison.Ordinal)].Count(c => c == '\n') + 1;
            Assert.Equal(
                ("CC0003", sent + 2, "Sample.Do", "uses", $"a packet that was sent in line {sent}"),
                (breach.Rule, breach.Line, breach.Member, breach.Use, breach.Banned)
            );
        }
    }

    [Fact]
    public void Of_a_damaged_assembly_something_is_said_or_that_it_is_damaged()
    {
        byte[] whole = Everywhere.Build(
            Analysis.SourceOf(
                Async(
                    "try { while (Server.Packets.TryRent(1, out Packet? q)) { await Later(); if (flag) { "
                        + "Server.Send(q, to); } } } finally { Done(); } switch (p.BodyLength) { "
                        + "case 1: Server.Send(p, to); break; case 2: break; case 3: return; } "
                        + "Task.Run(() => Server.NowNanos);"
                ),
                ""
            ),
            OptimizationLevel.Debug
        );
        var random = new Random(5);
        int refused = 0;
        for (int i = 0; i < 2_000; i++)
        {
            byte[] bytes = [.. whole];
            for (int n = 0; n <= i % 30; n++)
            {
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            }

            try
            {
                Everywhere.Check(bytes);
            }
            catch (BadAssemblyException e)
            {
                Assert.DoesNotContain('\n', e.Message);
                refused++;
            }
        }

        Assert.InRange(refused, 100, 1_999);
    }

    [Fact]
    public void Debug_information_that_cannot_be_unpacked_leaves_what_is_found_without_lines()
    {
        byte[] bytes = Everywhere.Build(Analysis.SourceOf(Method("Thread.Sleep(1);"), ""), OptimizationLevel.Debug);
        int packed = bytes.AsSpan().IndexOf("MPDB"u8) + (2 * sizeof(uint));

        // As if the last block of what is packed had not come: the reader says so by another exception than it says all
        // else.
        bytes[packed] ^= 1;
        CheckResult result = Everywhere.Check(bytes);
        Assert.Contains("cannot be read", result.WhyNoLines, StringComparison.Ordinal);
        Assert.NotEmpty(result.Breaches);
    }

    private static string Async(string body) =>
        Method("")
        + $$"""
            private ValueTask<bool> Later() => Server.DelayAsync(TimeSpan.FromSeconds(1));
            private void Done() { }
            private async ValueTask Go(Packet p, Destination to, bool flag) { {{body}} }
            """;

    private static string Method(string body) =>
        $$"""
            private readonly Queue<Packet> _kept = new();
            private Packet? _one;
            private void Keep(Packet p) => _one = p;
            private Packet Other() => _kept.Dequeue();
            private void Do(Packet p, Destination to, bool flag) { {{body}} }
            """;
}

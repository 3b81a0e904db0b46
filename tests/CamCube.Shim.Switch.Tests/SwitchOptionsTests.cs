using CamCube.Shim.Switch.Settings;

namespace CamCube.Shim.Switch.Tests;

/// <summary>Settings, right and wrong: a wrong one is one line with its name, its value and what is allowed.</summary>
public sealed class SwitchOptionsTests
{
    private static readonly TorusShape Shape = new(3, 1, 1);

    [Theory]
    [InlineData("10.0.0.{rank+1}:7100", "10.0.0.1:7100 10.0.0.2:7100 10.0.0.3:7100")]
    [InlineData("127.0.0.1:{RANK+7100}", "127.0.0.1:7100 127.0.0.1:7101 127.0.0.1:7102")]
    [InlineData("[fd00::{rank}]:9", "[fd00::]:9 [fd00::1]:9 [fd00::2]:9")]
    [InlineData("10.0.0.9:1, 10.0.0.5:2,10.0.0.7:3", "10.0.0.9:1 10.0.0.5:2 10.0.0.7:3")]
    public void Servers_are_a_list_or_a_text_with_the_rank_in_it(string text, string all) =>
        Assert.Equal(all, string.Join(' ', SwitchOptions.Read(Of(("Servers", text)), Shape).Servers));

    [Theory]
    [InlineData(
        "Servers",
        "",
        "CamCube:Switch:Servers is required: where all servers are, as in 10.0.0.{rank+1}:7100."
    )]
    [InlineData("Servers", "a:1,b:2,c:3", "CamCube:Switch:Servers = 'a:1,b:2,c:3': 'a:1' is not address:port, ")]
    [InlineData("Servers", "10.0.0.1:1", "names 1 servers and the cube has 3; one for each, or one text with {rank}.")]
    [InlineData("Servers", "10.0.0.{rank}", "'10.0.0.0' is not address:port")]
    [InlineData("Servers", "10.0.0.{rank+254}:1", "'10.0.0.256:1' is not address:port")]
    [InlineData("Servers", "10.0.0.1:1,10.0.0.2:1,10.0.0.1:1", "10.0.0.1:1 is there twice.")]
    [InlineData(
        "MaxFrameLength",
        "1513",
        "CamCube:Switch:MaxFrameLength is '1513', allowed are numbers from 1514 to 9014."
    )]
    [InlineData("QueueBytes", "1", "CamCube:Switch:QueueBytes is '1', allowed are numbers from 16384 to 268435456.")]
    [InlineData("FullTime", "1h", "CamCube:Switch:FullTime is '1h', allowed is a duration from 0.001s to 10s")]
    [InlineData("SilenceTime", "no", "CamCube:Switch:SilenceTime is 'no', allowed is a duration from 0.1s to 60s")]
    [InlineData("Strangers", "0", "CamCube:Switch:Strangers is '0', allowed are numbers from 1 to 4096.")]
    public void What_is_wrong_is_said(string name, string value, string said)
    {
        var e = Assert.Throws<LinkProviderException>(() =>
            SwitchOptions.Read(Of(("Servers", "10.0.0.{rank+1}:7100"), (name, value)), Shape)
        );
        Assert.Contains(said, e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', e.Message);
    }

    [Fact]
    public void Defaults_are_those_that_help_tells()
    {
        SwitchOptions options = SwitchOptions.Read(Of(("Servers", "10.0.0.{rank+1}:7100")), Shape);
        Assert.Equal(
            (9_014, 1 << 20, 100_000_000, 3_000_000_000, 64),
            (options.MaxFrameLength, options.QueueBytes, options.FullNanos, options.SilenceNanos, options.Strangers)
        );
    }

    [Fact]
    public void An_address_that_cannot_be_had_is_one_line()
    {
        using SwitchBed bed = new(Shape, [1]);
        var e = Assert.Throws<LinkProviderException>(() => new FakeServer(Shape, 1, bed.Options));
        Assert.StartsWith($"{bed.Options.Servers[1]} (CamCube:Switch:Servers): ", e.Message, StringComparison.Ordinal);
    }

    private static Dictionary<string, string> Of(params (string Name, string Value)[] settings)
    {
        Dictionary<string, string> all = new(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, string value) in settings)
        {
            all[name] = value;
        }

        return all;
    }
}

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Cards that cannot be made, and those that are taken away.</summary>
public sealed class CardTests
{
    [Fact]
    public void A_card_that_cannot_be_made_is_said_and_tried_again_and_the_others_go_on()
    {
        using var cube = new TunnelCube(3, 1, 1);
        Assert.Null(cube[1].Unwell);
        cube.CardsOf(1).Refusal = "a network card needs the right CAP_NET_ADMIN";
        cube.CardOf(1).IsGone = true;
        cube.Cube.Advance(cube.Options.RetryTime * 1.5);
        Assert.Equal(cube.CardsOf(1).Refusal, cube[1].Unwell);
        Assert.True(cube.CardOf(1).IsClosed);
        var traffic = new Traffic(cube);
        traffic.Send(cube.Shape.At(0), cube.Shape.At(2), 1);
        traffic.Send(cube.Shape.At(0), cube.Shape.At(1), 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        traffic.AssertComplete((_, to) => to == cube.Shape.At(2));
        Assert.Equal(1, cube[1].Counters.NotTaken.Value);
        cube.CardsOf(1).Refusal = null;
        cube.Cube.Advance(cube.Options.RetryTime);
        Assert.Null(cube[1].Unwell);
        Assert.Equal(2, cube.CardsOf(1).Made);
        cube.AssertNothingLeft();
    }

    [Fact]
    public void A_network_without_room_is_said_and_so_are_settings_that_are_none()
    {
        using var cube = new TunnelCube(3, 3, 3, new TunnelOptions { Network4 = "10.9.0.0/27" });
        Assert.Null(cube[26].Unwell);
        using var larger = new TunnelCube(4, 4, 2, new TunnelOptions { Network4 = "10.9.0.0/27" });
        Assert.Contains("10.9.0.0/27 has not enough addresses for 32 servers", larger[0].Unwell);
        Assert.Single(new TunnelOptions { Network4 = "10.9.0.0/33" }.Validate(null!));
        Assert.Single(new TunnelOptions { Network4 = "fd00::/64" }.Validate(null!));
        Assert.Single(new TunnelOptions { Network6 = "fd00::/48" }.Validate(null!));
        Assert.Single(new TunnelOptions { Mtu = 1_279 }.Validate(null!));
        Assert.Empty(new TunnelOptions { Mtu = 1_280 }.Validate(null!));
        Assert.Empty(new TunnelOptions().Validate(null!));
    }

    [Fact]
    public void A_card_gets_the_name_and_the_addresses_of_its_server()
    {
        using var cube = new TunnelCube(3, 3, 1, new TunnelOptions { Namespace = "mine" });
        var terms = cube.CardOf(5).Terms;
        Assert.Equal(("cc0", "mine-2-1-0", 8_948), (terms.Interface, terms.Namespace, terms.Mtu));
        Assert.Equal("10.77.0.6", $"{terms.Internet4.Address}");
        Assert.Equal("fd37:cc:77:0:1:2:1:0", $"{terms.Internet6.Address}");
    }
}

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>How long keys are there, over HTTP.</summary>
public sealed class KeyValueExpiryTests
{
    [Fact]
    public async Task The_time_is_given_in_seconds_and_the_rest_told()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "1", "CamCube-Expires: 60")).Status);
        Assert.Equal(TimeSpan.FromSeconds(60), await cube.AskAsync(s => s.LastExpires));
        Assert.Equal("60", (await cube.GetAsync("/kv/a")).Headers["CamCube-Expires"]);
        Assert.Equal("60", (await cube.SendAsync("HEAD", "/kv/a", null)).Headers["CamCube-Expires"]);
        Assert.Equal(204, (await cube.PutAsync("/kv/a", "1")).Status);
        Assert.Null(await cube.AskAsync(s => s.LastExpires));
        Assert.False((await cube.GetAsync("/kv/a")).Headers.ContainsKey("CamCube-Expires"));
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("1.5")]
    [InlineData("")]
    [InlineData("4294967296")]
    [InlineData("soon")]
    public async Task What_is_no_time_is_refused_in_words(string text)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply reply = await cube.PutAsync("/kv/a", "1", $"CamCube-Expires: {text}");
        Assert.Equal((400, "CamCube-Expires is a number of seconds, 1 to 4294967295."), (reply.Status, reply.Detail));
        Assert.Equal(0, await cube.AskAsync(s => s.Keys));
    }
}

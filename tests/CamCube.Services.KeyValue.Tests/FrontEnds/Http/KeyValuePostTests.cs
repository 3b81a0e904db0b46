namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>Changes by what is there, over HTTP.</summary>
public sealed class KeyValuePostTests
{
    [Fact]
    public async Task Numbers_are_added_and_bytes_appended_under_conditions()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply sum = await cube.SendAsync("POST", "/kv/n?op=add", "5"u8.ToArray());
        Assert.Equal(
            (200, "5", "text/plain", "3"),
            (sum.Status, sum.Text, sum.Headers["Content-Type"], sum.Headers["CamCube-Copies"])
        );
        Assert.Equal("-2", (await cube.SendAsync("POST", "/kv/n?op=add", "-7"u8.ToArray())).Text);
        StoreReply stale = await cube.SendAsync("POST", "/kv/n?op=add", "1"u8.ToArray(), $"If-Match: {sum.Tag}");
        Assert.Equal(412, stale.Status);
        Assert.Equal("-2", (await cube.GetAsync("/kv/n")).Text);
        Assert.Equal(
            204,
            (await cube.SendAsync("POST", "/kv/t?op=append", "one"u8.ToArray(), "If-None-Match: *")).Status
        );
        Assert.Equal(
            412,
            (await cube.SendAsync("POST", "/kv/t?op=append", "one"u8.ToArray(), "If-None-Match: *")).Status
        );
        StoreReply more = await cube.SendAsync("POST", "/kv/t?op=append", ", two"u8.ToArray());
        Assert.Equal((204, "one, two"), (more.Status, (await cube.GetAsync("/kv/t")).Text));
        Assert.Equal(more.Tag, (await cube.GetAsync("/kv/t")).Tag);
        await cube.GivenBackAsync();
    }

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("1.5")]
    [InlineData(" 1")]
    [InlineData("9223372036854775808")]
    public async Task What_is_no_number_is_not_added(string body)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply reply = await cube.SendAsync("POST", "/kv/n?op=add", System.Text.Encoding.UTF8.GetBytes(body));
        Assert.Equal(
            (400, "the body of op=add is a number of 64 bits in decimal digits."),
            (reply.Status, reply.Detail)
        );
        Assert.Equal(0, await cube.AskAsync(s => s.Keys));
    }

    [Theory]
    [InlineData(KeyValueStatus.NotANumber, 409)]
    [InlineData(KeyValueStatus.Overflow, 409)]
    [InlineData(KeyValueStatus.TooLarge, 413)]
    [InlineData(KeyValueStatus.Full, 507)]
    [InlineData(KeyValueStatus.Unknown, 504)]
    [InlineData(KeyValueStatus.Unavailable, 503)]
    public async Task A_change_that_was_not_made_says_why(KeyValueStatus status, int expected)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => s.Next = status);
        StoreReply reply = await cube.SendAsync("POST", "/kv/n?op=add", "1"u8.ToArray());
        Assert.Equal(expected, reply.Status);
        Assert.NotEqual("", reply.Detail);
        Assert.Equal(413, (await cube.SendAsync("POST", "/kv/n?op=append", new byte[FakeStore.Longest + 1])).Status);
        Assert.Equal(413, (await cube.SendAsync("POST", "/kv/n?op=add", new byte[FakeStore.Longest + 1])).Status);
        await cube.GivenBackAsync();
    }
}

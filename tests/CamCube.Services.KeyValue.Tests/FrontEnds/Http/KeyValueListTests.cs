using System.Text.Json;

namespace CamCube.Services.KeyValue.Tests.FrontEnds.Http;

/// <summary>Lists over HTTP.</summary>
public sealed class KeyValueListTests
{
    [Fact]
    public async Task Keys_are_texts_or_hexadecimal_digits_and_come_in_parts()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        string[] targets = ["/kv/a/1", "/kv/a/2", "/kv/b", "/kv/%C3%BC%22", "/kv/%FF%00x", "/kv/?key=%00"];
        foreach (string target in targets.Where(t => !t.Contains("%00x", StringComparison.Ordinal)))
        {
            Assert.Equal(204, (await cube.PutAsync(target, "hello")).Status);
        }

        Assert.Equal(204, (await cube.PutAsync("/kv/?key=%FF%00x", "")).Status);
        Assert.Equal(204, (await cube.PutAsync("/kv/other?table=3", "1")).Status);
        StoreReply all = await cube.GetAsync("/kv/");
        Assert.Equal(
            (200, "application/json", "no-cache"),
            (all.Status, all.Headers["Content-Type"], all.Headers["Cache-Control"])
        );
        JsonElement json = JsonDocument.Parse(all.Body).RootElement;
        Assert.Equal(["\0", "a/1", "a/2", "b", "ü\""], Keys(json, "key"));
        Assert.Equal(["ff0078"], Keys(json, "hex"));
        Assert.False(json.TryGetProperty("next", out _));
        Assert.Equal(5, json.GetProperty("keys")[1].GetProperty("length").GetInt32());
        Assert.Equal(
            (await cube.GetAsync("/kv/a/1")).Tag,
            $"\"{json.GetProperty("keys")[1].GetProperty("version").GetString()}\""
        );
        Assert.Equal(
            ["other"],
            Keys(JsonDocument.Parse((await cube.GetAsync("/kv/?table=3")).Body).RootElement, "key")
        );
        List<string> paged = [];
        string next = "";
        do
        {
            json = JsonDocument.Parse((await cube.GetAsync($"/kv/?prefix=a%2f&limit=1{next}")).Body).RootElement;
            paged.AddRange(Keys(json, "key"));
            next = json.TryGetProperty("next", out JsonElement cursor) ? $"&cursor={cursor.GetString()}" : "";
        } while (next.Length > 0);

        Assert.Equal(["a/1", "a/2"], paged);
        StoreReply head = await cube.SendAsync("HEAD", "/kv/", null);
        Assert.Equal((200, ""), (head.Status, head.Text));
        Assert.Equal("""{"keys":[]}""", (await cube.GetAsync("/kv/?prefix=nothing")).Text);
        await cube.GivenBackAsync();
    }

    [Theory]
    [InlineData("/kv/?limit=0", "limit=0: a part of a list has 1 to 10,000 keys.")]
    [InlineData("/kv/?limit=10001", "limit=10001: a part of a list has 1 to 10,000 keys.")]
    [InlineData("/kv/?limit=-1", "limit=-1: a part of a list has 1 to 10,000 keys.")]
    [InlineData("/kv/?table=16", "table=16: a table is 0 to 15.")]
    [InlineData("/kv/?reads=any", "reads goes with a key.")]
    [InlineData("/kv/?wait=0", "wait goes with a key.")]
    [InlineData("/kv/a?prefix=b", "prefix goes with a list, which has no key.")]
    [InlineData("/kv/?key=a&cursor=b", "cursor goes with a list, which has no key.")]
    [InlineData("/kv/?key=", "a key has 1 to 65,535 bytes; this one has 0.")]
    public async Task What_is_no_list_is_refused_in_words(string target, string words)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        StoreReply reply = await cube.GetAsync(target);
        Assert.Equal((400, words), (reply.Status, reply.Detail));
    }

    [Theory]
    [InlineData(KeyValueStatus.BadCursor, 400)]
    [InlineData(KeyValueStatus.Unavailable, 503)]
    [InlineData(KeyValueStatus.DataAway, 503)]
    public async Task A_list_that_cannot_be_made_says_why(KeyValueStatus status, int expected)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.AskAsync(s => s.Next = status);
        StoreReply reply = await cube.GetAsync("/kv/?cursor=x");
        Assert.Equal(expected, reply.Status);
        Assert.NotEqual("", reply.Detail);
    }

    [Fact]
    public async Task A_prefix_has_as_many_bytes_as_a_key()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        Assert.Equal(200, (await cube.GetAsync($"/kv/?prefix={new string('p', 65_535)}")).Status);
        Assert.Equal(400, (await cube.GetAsync($"/kv/?prefix={new string('p', 65_536)}")).Status);
    }

    private static IEnumerable<string> Keys(JsonElement list, string name) =>
        list.GetProperty("keys")
            .EnumerateArray()
            .Where(key => key.TryGetProperty(name, out _))
            .Select(key => key.GetProperty(name).GetString()!);
}

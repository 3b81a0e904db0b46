using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests;

public sealed class AuthenticationTests : IDisposable
{
    private const string Refusal = "CLIENT_ERROR unauthenticated\r\n";
    private readonly string _path = Path.Combine(Path.GetTempPath(), $"camcube-users-{Guid.NewGuid():N}");

    public void Dispose() => File.Delete(_path);

    [Fact]
    public async Task Nobody_is_served_before_he_has_said_who_he_is()
    {
        MemoryClient client = ClientOf("foo:bar\nbaz:quux:x\n");
        await client.SendAsync("get a\r\nset a 0 0 2\r\nhi\r\nversion\r\nmn\r\nset\r\n");
        await client.SendAsync("set x 0 0 7\r\nfoo bar\r\nset a 0 0 2\r\nhi\r\nget a\r\nmn\r\n");
        Assert.Equal(
            Refusal
                + "CLIENT_ERROR bad authentication token format\r\n"
                + Refusal
                + Refusal
                + Refusal
                + "STORED\r\nSTORED\r\nVALUE a 0 2\r\nhi\r\nEND\r\nMN\r\n",
            await client.FinishAsync()
        );
    }

    [Theory]
    [InlineData("set x 0 0 7\r\nfoo bar\r\n", "STORED\r\n", 0)]
    [InlineData("set x 0 0 10\r\nbaz quux:x\r\n", "STORED\r\n", 0)]
    [InlineData("set x 0 0 7\r\nfoo baz\r\n", "CLIENT_ERROR authentication failure\r\n", 1)]
    [InlineData("set x 0 0 6\r\nfoo ba\r\n", "CLIENT_ERROR authentication failure\r\n", 1)]
    [InlineData("set x 0 0 7\r\nbaz bar\r\n", "CLIENT_ERROR authentication failure\r\n", 1)]
    public async Task Whom_the_file_names_is_served_and_others_are_counted(string request, string reply, int errors)
    {
        MemoryClient client = ClientOf("foo:bar\nbaz:quux:x\n");
        await client.SendAsync(request);
        Assert.Equal(reply, await client.FinishAsync());
        Assert.Equal(
            (1, errors),
            (client.Context.Counters.Authentications, client.Context.Counters.AuthenticationErrors)
        );
    }

    [Theory]
    [InlineData("set x 0 0 7\r\nfoo_bar\r\n", "CLIENT_ERROR bad authentication token format\r\n")]
    [InlineData("set x 0 0 7\r\nfoo barxx", "CLIENT_ERROR bad command line termination\r\n")]
    [InlineData("set x 0 0 4294967295\r\nfoo", "CLIENT_ERROR bad authentication token format\r\n")]
    public async Task What_is_no_name_is_told_and_not_counted(string request, string reply)
    {
        MemoryClient client = ClientOf("foo:bar\n");
        await client.SendAsync(request);
        Assert.Equal(reply, await client.FinishAsync());
        Assert.Equal(0, client.Context.Counters.Authentications);
    }

    [Fact]
    public async Task A_client_that_sends_one_long_line_is_closed()
    {
        MemoryClient client = ClientOf("foo:bar\n");
        await client.SendAsync(new string('x', 3000));
        Assert.Equal("", await client.ReceiveToEndAsync());
    }

    [Fact]
    public async Task The_command_may_come_byte_by_byte()
    {
        MemoryClient client = ClientOf("foo:bar\n");
        foreach (char one in "set x 0 0 7\r\nfoo bar\r\nget a\r\n")
        {
            await client.SendAsync(one.ToString());
        }

        Assert.Equal("STORED\r\nEND\r\n", await client.FinishAsync());
    }

    [Fact]
    public void A_file_that_is_read_again_replaces_all_users_or_none()
    {
        File.WriteAllText(_path, "foo:bar\n");
        var users = new AuthFile(_path);
        users.Load();
        Assert.True(users.Knows("foo"u8, "bar"u8));
        File.WriteAllText(_path, "baz:quux\r\n\r\n");
        users.Load();
        Assert.False(users.Knows("foo"u8, "bar"u8));
        Assert.True(users.Knows("baz"u8, "quux"u8));
        foreach (string wrong in new[] { "foo\n", ":bar\n", "" })
        {
            File.WriteAllText(_path, wrong);
            Assert.Throws<FrontEndException>(users.Load);
            Assert.True(users.Knows("baz"u8, "quux"u8));
        }

        File.Delete(_path);
        Assert.Throws<FrontEndException>(users.Load);
    }

    private MemoryClient ClientOf(string file)
    {
        File.WriteAllText(_path, file);
        var users = new AuthFile(_path);
        users.Load();
        return new MemoryClient(new FakeGate(new FakeCache()), users: users);
    }
}

using System.Net;
using CamCube.FrontEnds.Http;
using Microsoft.Extensions.Logging.Abstractions;

namespace CamCube.FrontEnds.Tests;

/// <summary>Which names in a Host header are the host's own.</summary>
public sealed class RequestGuardTests
{
    [Theory]
    [InlineData("localhost", "127.0.0.1", true)]
    [InlineData("LOCALHOST", "127.0.0.1", true)]
    [InlineData("127.0.0.1", "127.0.0.1", true)]
    [InlineData("127.1.2.3", "127.0.0.1", true)]
    [InlineData("[::1]", "::1", true)]
    [InlineData("10.0.0.7", "10.0.0.7", true)]
    [InlineData("10.0.0.7", "::ffff:10.0.0.7", true)]
    [InlineData("localhost", "10.0.0.7", true)]
    [InlineData("cube.example", "10.0.0.7", true)]
    [InlineData("CUBE.example", "10.0.0.7", true)]
    [InlineData("203.0.113.5", "10.0.0.7", true)]
    [InlineData("[2001:db8::5]", "fe80::1", true)]
    [InlineData("", "127.0.0.1", false)]
    [InlineData(null, "127.0.0.1", false)]
    [InlineData("evil.example", "127.0.0.1", false)]
    [InlineData("localhost.evil.example", "127.0.0.1", false)]
    [InlineData("evil.cube.example", "10.0.0.7", false)]
    [InlineData("cube.example.", "10.0.0.7", false)]
    [InlineData("10.0.0.8", "10.0.0.7", false)]
    [InlineData("10.0.0.8", null, false)]
    [InlineData("[2001:db8::6]", "fe80::1", false)]
    public void A_name_is_own_or_foreign(string? name, string? local, bool own)
    {
        RequestGuard guard = new(
            ["cube.example", "203.0.113.5", "2001:db8::5"],
            "AllowedHosts",
            NullLogger<RequestGuard>.Instance
        );

        Assert.Equal(own, guard.IsOwnName(name, local is null ? null : IPAddress.Parse(local)));
    }
}

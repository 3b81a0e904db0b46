using System.Net.Security;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>Servers that the contract is tested against.</summary>
public abstract class Backend : IAsyncLifetime
{
    /// <summary>Why the servers cannot be had here; null if they can.</summary>
    public string? Missing { get; protected set; }

    public string[] Addresses { get; protected set; } = [];

    /// <summary>What a client wants of the servers' TLS; null: they have none.</summary>
    public SslClientAuthenticationOptions? Tls { get; protected set; }

    /// <summary>Skips the test, or fails it with <c>CAMCUBE_REQUIRE_ALL=1</c>, where the servers cannot be
    /// had.</summary>
    public void Require()
    {
        if (Missing is null)
        {
            return;
        }

        Assert.False(
            Environment.GetEnvironmentVariable("CAMCUBE_REQUIRE_ALL") == "1",
            $"CAMCUBE_REQUIRE_ALL=1, but {Missing}."
        );
        Assert.Skip(Missing);
    }

    public abstract ValueTask InitializeAsync();

    public abstract ValueTask DisposeAsync();
}

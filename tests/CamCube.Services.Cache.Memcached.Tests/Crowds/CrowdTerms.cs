using CamCube.Services.Cache.Memcached.Tests.Tls;

namespace CamCube.Services.Cache.Memcached.Tests.Crowds;

/// <summary>What the clients of a crowd have in common.</summary>
/// <param name="Seed">Draws what they do.</param>
/// <param name="Clients">How many there are.</param>
/// <param name="PlainPort">The port without TLS.</param>
/// <param name="Certificates">For the port with it.</param>
/// <param name="HasUsers">Whether clients say who they are. One of four does not, and gets nothing.</param>
internal sealed record CrowdTerms(int Seed, int Clients, int PlainPort, TestCertificates Certificates, bool HasUsers)
{
    /// <summary>Whether a client does not say who it is where that is asked for.</summary>
    public bool IsStranger(int number) => HasUsers && number % 4 == 3;
}

using CamCube.Services.Cache.Memcached.Tests.Tls;

namespace CamCube.Client.Cache.Tests.Kit;

/// <summary>The same with TLS, and certificates that the servers ask for.</summary>
public sealed class TlsCubeBackend : CubeBackend
{
    private readonly TestCertificates _certificates;

    public TlsCubeBackend()
        : this(new TestCertificates()) { }

    private TlsCubeBackend(TestCertificates certificates)
        : base(certificates.ServerOptions(asksClients: true))
    {
        _certificates = certificates;
        Tls = certificates.ClientTerms(certificates.Issue("client"));
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _certificates.Dispose();
    }
}

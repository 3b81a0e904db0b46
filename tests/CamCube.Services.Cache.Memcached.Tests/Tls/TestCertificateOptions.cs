using CamCube.FrontEnds.Settings;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>Options of a front end with the files of a test's authority.</summary>
internal static class TestCertificateOptions
{
    /// <summary>TLS with the server's files.</summary>
    /// <param name="certificates">The files.</param>
    /// <param name="asksClients">Whether clients have to show certificates of the authority.</param>
    public static MemcachedFrontEndOptions ServerOptions(
        this TestCertificates certificates,
        bool asksClients = false
    ) =>
        new()
        {
            Tls = true,
            TlsCertificate = certificates.CertificateFile,
            TlsKey = certificates.KeyFile,
            TlsClients = asksClients ? TlsClientCheck.Required : TlsClientCheck.None,
            TlsClientAuthorities = asksClients ? certificates.AuthorityFile : "",
        };
}

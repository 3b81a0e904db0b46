using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

/// <summary>An authority of the test's own, what it issues, and files of them; the files go when it is
/// disposed.</summary>
internal sealed class TestCertificates : IDisposable
{
    private static readonly DateTimeOffset Begin = DateTimeOffset.UtcNow.AddDays(-1);
    private readonly string _folder = Directory.CreateTempSubdirectory("camcube-tls").FullName;
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _authority;

    public TestCertificates(string name = "authority")
    {
        var request = new CertificateRequest($"CN={name}", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _authority = request.CreateSelfSigned(Begin, Begin.AddYears(1));
        AuthorityFile = Write("authority.pem", _authority.ExportCertificatePem());
        (CertificateFile, KeyFile) = (PathOf("server.pem"), PathOf("server.key"));
        WriteServer("server");
    }

    public string AuthorityFile { get; }

    public string CertificateFile { get; }

    public string KeyFile { get; }

    public string PathOf(string file) => Path.Combine(_folder, file);

    public string Write(string file, string text)
    {
        File.WriteAllText(PathOf(file), text);
        return PathOf(file);
    }

    /// <summary>Writes the files of the server anew, for another name.</summary>
    public void WriteServer(string name)
    {
        using X509Certificate2 certificate = Issue(name);
        Write(CertificateFile, certificate.ExportCertificatePem());
        Write(KeyFile, certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>A certificate with its key, issued by the authority.</summary>
    public X509Certificate2 Issue(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        request.CertificateExtensions.Add(names.Build());
        using X509Certificate2 certificate = request.Create(
            _authority,
            Begin,
            Begin.AddDays(300),
            RandomNumberGenerator.GetBytes(8)
        );
        using X509Certificate2 whole = certificate.CopyWithPrivateKey(key);

        // Windows takes no key that lives in memory only.
        return X509CertificateLoader.LoadPkcs12(whole.Export(X509ContentType.Pkcs12), null);
    }

    /// <summary>What a client wants that trusts the authority and nobody else.</summary>
    public SslClientAuthenticationOptions ClientTerms(X509Certificate2? own = null, string target = "server")
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
        };
        policy.CustomTrustStore.Add(_authority);
        return new SslClientAuthenticationOptions
        {
            TargetHost = target,
            CertificateChainPolicy = policy,
            ClientCertificateContext = own is null
                ? null
                : SslStreamCertificateContext.Create(own, null, offline: true),
        };
    }

    public void Dispose()
    {
        _authority.Dispose();
        _key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}

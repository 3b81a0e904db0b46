using System.Security.Cryptography;
using CamCube.FrontEnds.Settings;
using CamCube.FrontEnds.Tls;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Services.Cache.Memcached.Tests.Tls;

public sealed class TlsSettingsTests : IDisposable
{
    private readonly TestCertificates _certificates = new();
    private readonly MemcachedFrontEndOptions _options;

    public TlsSettingsTests() => _options = _certificates.ServerOptions();

    public void Dispose() => _certificates.Dispose();

    [Fact]
    public void The_key_may_lie_in_the_certificates_file_and_intermediates_behind_it()
    {
        string both = _certificates.Write(
            "both.pem",
            string.Join(
                '\n',
                File.ReadAllText(_certificates.CertificateFile),
                File.ReadAllText(_certificates.AuthorityFile),
                File.ReadAllText(_certificates.KeyFile)
            )
        );
        (_options.TlsCertificate, _options.TlsKey) = (both, "");
        Assert.NotNull(new TlsServer(_options, TimeProvider.System));
    }

    [Theory]
    [InlineData("certificate", "is not there")]
    [InlineData("key", "is not there")]
    [InlineData("authority", "is not there")]
    public void A_file_that_is_missing_is_named(string which, string reason)
    {
        string path = _certificates.PathOf("missing");
        string setting = Set(which, path);
        Assert.Equal($"{setting} {path} {reason}", Message());
    }

    [Theory]
    [InlineData("certificate", "has no certificate in PEM form")]
    [InlineData("key", "has no private key in PEM form")]
    [InlineData("authority", "has no certificate in PEM form")]
    public void A_file_with_something_else_in_it_is_named(string which, string reason)
    {
        string path = _certificates.Write("empty", "nothing\n");
        string setting = Set(which, path);
        Assert.Equal($"{setting} {path} {reason}", Message());
    }

    [Theory]
    [InlineData("certificate")]
    [InlineData("key")]
    [InlineData("authority")]
    public void A_folder_is_no_file(string which)
    {
        string path = Path.GetDirectoryName(_certificates.KeyFile)!;
        string setting = Set(which, path);
        Assert.StartsWith($"{setting} {path} cannot be read: ", Message(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_key_of_another_certificate_is_told()
    {
        using var other = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        string path = Set("key", _certificates.Write("other.key", other.ExportPkcs8PrivateKeyPem()));
        Assert.Equal(
            $"{path} {_certificates.PathOf("other.key")} has a key that cannot be read or does not belong to the "
                + $"certificate CN=server",
            Message()
        );
    }

    [Fact]
    public void A_key_with_a_password_is_told()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        string locked = key.ExportEncryptedPkcs8PrivateKeyPem(
            "secret",
            new PbeParameters(PbeEncryptionAlgorithm.Aes128Cbc, HashAlgorithmName.SHA256, 1_000)
        );
        Set("key", _certificates.Write("locked.key", locked));
        Assert.EndsWith(
            "locked.key has a key with a password; a server that starts by itself needs one without",
            Message(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_damaged_certificate_is_told()
    {
        string text = File.ReadAllText(_certificates.CertificateFile);
        Set("certificate", _certificates.Write("damaged.pem", text.Replace("MII", "AAA", StringComparison.Ordinal)));
        Assert.Contains("damaged.pem has a certificate that cannot be read", Message(), StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_needed_is_asked_for()
    {
        _options.TlsClients = TlsClientCheck.Required;
        Assert.Equal(
            "TlsClients is Required, which needs TlsClientAuthorities: who may issue their certificates",
            Message()
        );
        _options.TlsCertificate = "";
        Assert.Equal("Tls needs TlsCertificate, the PEM file of the server's certificate", Message());
    }

    [Fact]
    public void Cipher_suites_have_two_names_and_others_are_told()
    {
        Assert.Equal(
            [0xC02F, 0xC030, 0x1302, 0x1303, 0x1301],
            CipherNames
                .Parse("ECDHE-RSA-AES128-GCM-SHA256:TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384")
                .Select(suite => (int)suite)
        );
        _options.TlsCiphers = "ECDHE-RSA-AES128-GCM-SHA256:HIGH";
        Assert.StartsWith(
            "'HIGH' in TlsCiphers is no cipher suite that is known here",
            Message(),
            StringComparison.Ordinal
        );
    }

    private string Set(string which, string path)
    {
        switch (which)
        {
            case "certificate":
                _options.TlsCertificate = path;
                return "the certificate file";
            case "key":
                _options.TlsKey = path;
                return "the key file";
            default:
                (_options.TlsClients, _options.TlsClientAuthorities) = (TlsClientCheck.Required, path);
                return "the file of authorities";
        }
    }

    private string Message() =>
        Assert.Throws<FrontEndException>(() => new TlsServer(_options, TimeProvider.System)).Message;
}

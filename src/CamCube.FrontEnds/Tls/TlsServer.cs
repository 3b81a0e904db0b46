using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CamCube.FrontEnds.Settings;

namespace CamCube.FrontEnds.Tls;

/// <summary>
/// The server's side of TLS for one front end. Certificates come from files and may be read again while it runs:
/// clients that are connected keep what they agreed on, the next get the new ones. Any thread.
/// </summary>
public sealed class TlsServer
{
    private const string CertificateFile = "the certificate file";
    private readonly ConnectionOptions _options;
    private readonly CipherSuitesPolicy? _ciphers;
    private readonly TimeProvider _time;
    private volatile SslServerAuthenticationOptions _terms;
    private long _loadedAt;

    /// <summary>Reads the files.</summary>
    /// <exception cref="FrontEndException">A setting is wrong, or a file; the message is one line and names
    /// it.</exception>
    public TlsServer(ConnectionOptions options, TimeProvider time)
    {
        (_options, _time) = (options, time);
        if (options.TlsCertificate.Length == 0)
        {
            throw new FrontEndException("Tls needs TlsCertificate, the PEM file of the server's certificate");
        }

        if (options.TlsClients != TlsClientCheck.None && options.TlsClientAuthorities.Length == 0)
        {
            throw new FrontEndException(
                $"TlsClients is {options.TlsClients}, which needs TlsClientAuthorities: "
                    + $"who may issue their certificates"
            );
        }

        _ciphers = options.TlsCiphers.Length == 0 ? null : PolicyOf(CipherNames.Parse(options.TlsCiphers));
        _terms = Load();
        _loadedAt = time.GetTimestamp();
    }

    /// <summary>Time since the files were read.</summary>
    public TimeSpan Age => _time.GetElapsedTime(Volatile.Read(ref _loadedAt));

    /// <summary>Reads the files again.</summary>
    /// <exception cref="FrontEndException">One is wrong: everything stays as it was.</exception>
    public void Reload()
    {
        // What is replaced is not disposed of: handshakes may still use it.
        _terms = Load();
        Volatile.Write(ref _loadedAt, _time.GetTimestamp());
    }

    /// <summary>Agrees with a client on TLS.</summary>
    /// <exception cref="AuthenticationException">There is no agreement, or it speaks no TLS.</exception>
    /// <exception cref="IOException">It is gone.</exception>
    internal Task AuthenticateAsync(SslStream stream) => stream.AuthenticateAsServerAsync(_terms);

    private static CipherSuitesPolicy PolicyOf(IReadOnlyList<TlsCipherSuite> suites)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new FrontEndException("TlsCiphers cannot be followed on Windows, where the system chooses");
        }

        try
        {
            return new CipherSuitesPolicy(suites);
        }
        catch (PlatformNotSupportedException error)
        {
            throw new FrontEndException(
                "TlsCiphers cannot be followed by this system's TLS",
                isPortInUse: false,
                error
            );
        }
    }

    private SslServerAuthenticationOptions Load()
    {
        X509Certificate2Collection chain = PemFile.ReadCertificates(_options.TlsCertificate, CertificateFile);
        X509Certificate2 own =
            _options.TlsKey.Length > 0
                ? PemFile.WithKey(chain[0], _options.TlsKey, "the key file")
                : PemFile.WithKey(chain[0], _options.TlsCertificate, CertificateFile);
        chain.RemoveAt(0);
        var terms = new SslServerAuthenticationOptions
        {
            EnabledSslProtocols =
                _options.TlsMinVersion == TlsVersion.Tls13
                    ? SslProtocols.Tls13
                    : SslProtocols.Tls12 | SslProtocols.Tls13,
            CipherSuitesPolicy = _ciphers,
            AllowRenegotiation = false,
            AllowTlsResume = _options.TlsResume,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        };
        SslCertificateTrust? trust = null;
        if (_options.TlsClients != TlsClientCheck.None)
        {
            X509Certificate2Collection authorities = PemFile.ReadCertificates(
                _options.TlsClientAuthorities,
                "the file of authorities"
            );
            trust = SslCertificateTrust.CreateForX509Collection(
                authorities,
                sendTrustInHandshake: OperatingSystem.IsLinux()
            );
            var policy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
                DisableCertificateDownloads = true,
            };
            policy.CustomTrustStore.AddRange(authorities);
            bool mayLack = _options.TlsClients == TlsClientCheck.IfGiven;
            terms.ClientCertificateRequired = true;
            terms.CertificateChainPolicy = policy;
            terms.RemoteCertificateValidationCallback = (_, certificate, _, errors) =>
                certificate is null ? mayLack : errors == SslPolicyErrors.None;
        }

        try
        {
            // Offline: what is missing in the file is not looked for in the network.
            terms.ServerCertificateContext = SslStreamCertificateContext.Create(own, chain, offline: true, trust);
        }
        catch (CryptographicException error)
        {
            throw new FrontEndException(
                $"{CertificateFile} {_options.TlsCertificate} cannot be used: {error.Message}",
                isPortInUse: false,
                error
            );
        }

        return terms;
    }
}

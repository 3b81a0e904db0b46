using System.Net;
using System.Net.Security;
using System.Net.Sockets;

namespace CamCube.Client.Cache.Connections;

/// <summary>The client's side of TLS.</summary>
internal static class TlsClient
{
    /// <summary>Agrees with a server on TLS.</summary>
    /// <param name="network">The connection; the result's from here on.</param>
    /// <param name="terms">What the client wants.</param>
    /// <param name="server">Whose certificate is expected where the terms name nobody.</param>
    /// <param name="cancel">Ends the wait.</param>
    /// <returns>What commands go through.</returns>
    public static async Task<Stream> AuthenticateAsync(
        NetworkStream network,
        SslClientAuthenticationOptions terms,
        EndPoint server,
        CancellationToken cancel
    )
    {
        var stream = new SslStream(network);
        try
        {
            await stream.AuthenticateAsClientAsync(For(terms, server), cancel).ConfigureAwait(false);
            return stream;
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>The terms with a server's host in them, unless they name one: then themselves.</summary>
    public static SslClientAuthenticationOptions For(SslClientAuthenticationOptions terms, EndPoint server)
    {
        if (!string.IsNullOrEmpty(terms.TargetHost))
        {
            return terms;
        }

        var copy = new SslClientAuthenticationOptions
        {
            TargetHost = server is IPEndPoint address ? address.Address.ToString() : ((DnsEndPoint)server).Host,
            AllowRenegotiation = terms.AllowRenegotiation,
            AllowTlsResume = terms.AllowTlsResume,
            ApplicationProtocols = terms.ApplicationProtocols,
            CertificateChainPolicy = terms.CertificateChainPolicy,
            CertificateRevocationCheckMode = terms.CertificateRevocationCheckMode,
            CipherSuitesPolicy = terms.CipherSuitesPolicy,
            ClientCertificateContext = terms.ClientCertificateContext,
            ClientCertificates = terms.ClientCertificates,
            EnabledSslProtocols = terms.EnabledSslProtocols,
            EncryptionPolicy = terms.EncryptionPolicy,
            LocalCertificateSelectionCallback = terms.LocalCertificateSelectionCallback,
            RemoteCertificateValidationCallback = terms.RemoteCertificateValidationCallback,
        };
        if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
        {
            copy.AllowRsaPkcs1Padding = terms.AllowRsaPkcs1Padding;
            copy.AllowRsaPssPadding = terms.AllowRsaPssPadding;
        }

        return copy;
    }
}

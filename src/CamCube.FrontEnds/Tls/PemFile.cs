using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CamCube.FrontEnds.Tls;

/// <summary>Certificates and keys in PEM files, and what is wrong with them in one line.</summary>
internal static class PemFile
{
    /// <summary>All certificates of a file, in its order; at least one.</summary>
    /// <param name="path">The file.</param>
    /// <param name="what">What it is, for the message.</param>
    /// <exception cref="FrontEndException">It cannot be read or has none.</exception>
    public static X509Certificate2Collection ReadCertificates(string path, string what)
    {
        string text = Read(path, what);
        var certificates = new X509Certificate2Collection();
        try
        {
            certificates.ImportFromPem(text);
        }
        catch (CryptographicException error)
        {
            throw Wrong($"{what} {path} has a certificate that cannot be read: {error.Message}", error);
        }

        return certificates.Count > 0 ? certificates : throw Wrong($"{what} {path} has no certificate in PEM form");
    }

    /// <summary>A certificate together with its key.</summary>
    /// <param name="certificate">The certificate.</param>
    /// <param name="path">The file of the key, which may have other things in it.</param>
    /// <param name="what">What it is, for the message.</param>
    /// <exception cref="FrontEndException">The file cannot be read or has no key, or it is another's.</exception>
    public static X509Certificate2 WithKey(X509Certificate2 certificate, string path, string what)
    {
        string text = Read(path, what);
        string[] labels = LabelsOf(text);
        if (!labels.Any(label => label.EndsWith("PRIVATE KEY", StringComparison.Ordinal)))
        {
            throw Wrong($"{what} {path} has no private key in PEM form");
        }

        if (labels.Contains("ENCRYPTED PRIVATE KEY"))
        {
            throw Wrong($"{what} {path} has a key with a password; a server that starts by itself needs one without");
        }

        try
        {
            return X509Certificate2.CreateFromPem(certificate.ExportCertificatePem(), text);
        }
        catch (Exception error) when (error is CryptographicException or ArgumentException)
        {
            throw Wrong(
                $"{what} {path} has a key that cannot be read or does not belong to the certificate "
                    + $"{certificate.Subject}",
                error
            );
        }
    }

    private static string Read(string path, string what)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            throw Wrong($"{what} {path} is not there", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw Wrong($"{what} {path} cannot be read: {error.Message}", error);
        }
    }

    private static string[] LabelsOf(ReadOnlySpan<char> text)
    {
        var labels = new List<string>();
        while (PemEncoding.TryFind(text, out PemFields fields))
        {
            labels.Add(text[fields.Label].ToString());
            text = text[fields.Location.End..];
        }

        return [.. labels];
    }

    private static FrontEndException Wrong(string message, Exception? error = null) =>
        error is null ? new FrontEndException(message) : new FrontEndException(message, isPortInUse: false, error);
}

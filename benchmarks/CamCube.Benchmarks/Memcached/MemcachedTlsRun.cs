using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CamCube.Benchmarks.Memcached;

/// <summary>
/// What TLS costs: processor time per get of CamCube.Memcached and of memcached, with TLS and without, from the same
/// load, which is in this process. Needs Linux, two processors and a memcached that was built with TLS, as Debian's.
/// </summary>
internal static class MemcachedTlsRun
{
    private const int Connections = 32;
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);

    public static async Task<int> RunAsync(string[] args)
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2)
        {
            Console.Error.WriteLine(
                "memcached-tls needs Linux and two processors: one for the server, one for the load"
            );
            return 2;
        }

        bool quick = args.Contains("quick");
        int rounds = quick ? 1 : 3;
        TimeSpan time = TimeSpan.FromSeconds(quick ? 1 : 2);
        using Process self = Process.GetCurrentProcess();
        self.ProcessorAffinity = 2;
        string folder = Directory.CreateTempSubdirectory("camcube-tls-run").FullName;
        try
        {
            string[] options = ["-Z", "-o", WriteCertificate(folder)];
            LiveCubes.PrintMachine();
            Console.WriteLine(
                $"{Connections} connections, gets of 512 bytes, one server thread, TLS 1.3; "
                    + $"medians of {rounds} rounds of {time.TotalSeconds:0} s."
            );
            Console.WriteLine(
                "us: processor time of the server per get; the load is in this process, on the other processor."
            );
            Console.WriteLine();
            Console.WriteLine($"{"", -24} {"memcached", 21} {"camcube", 21} {"ratio with TLS", 15}");
            Console.WriteLine($"{"", -24} {"plain us", 10} {"TLS us", 10} {"plain us", 10} {"TLS us", 10}");
            foreach (int batch in new[] { 1, 32 })
            {
                (double plainOfTheirs, double tlsOfTheirs) = await MeasureAsync(
                    MemcachedServer.StartPeerWithTls,
                    options,
                    batch,
                    rounds,
                    time
                );
                (double plain, double tls) = await MeasureAsync(
                    MemcachedServer.StartOursWithTls,
                    options,
                    batch,
                    rounds,
                    time
                );
                string name = batch == 1 ? "one request at a time" : $"{batch} requests in a batch";
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{name, -24} {plainOfTheirs, 10:0.00} {tlsOfTheirs, 10:0.00} {plain, 10:0.00} "
                            + $"{tls, 10:0.00} {tlsOfTheirs / tls, 15:0.00}"
                    )
                );
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        return 0;
    }

    private static async Task<(double Plain, double Tls)> MeasureAsync(
        Func<string[], (MemcachedServer Server, int Secure, int Plain)> start,
        string[] options,
        int batch,
        int rounds,
        TimeSpan time
    )
    {
        (MemcachedServer server, int secure, int plain) = start(options);
        using (server)
        {
            using TlsLoad without = await TlsLoad.ConnectAsync(server, plain, hasTls: false, Connections, batch);
            using TlsLoad with = await TlsLoad.ConnectAsync(server, secure, hasTls: true, Connections, batch);
            await without.RunAsync(WarmUp);
            await with.RunAsync(WarmUp);
            List<double> plains = [],
                secures = [];
            for (int round = 0; round < rounds; round++)
            {
                plains.Add((await without.RunAsync(time)).Micros);
                secures.Add((await with.RunAsync(time)).Micros);
            }

            return (plains.Order().ElementAt(rounds / 2), secures.Order().ElementAt(rounds / 2));
        }
    }

    private static string WriteCertificate(string folder)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=server", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 certificate = request.CreateSelfSigned(
            DateTimeOffset.UtcNow.AddDays(-1),
            DateTimeOffset.UtcNow.AddDays(1)
        );
        string chain = Path.Combine(folder, "server.pem"),
            secret = Path.Combine(folder, "server.key");
        File.WriteAllText(chain, certificate.ExportCertificatePem());
        File.WriteAllText(secret, key.ExportPkcs8PrivateKeyPem());
        return $"ssl_chain_cert={chain},ssl_key={secret}";
    }
}

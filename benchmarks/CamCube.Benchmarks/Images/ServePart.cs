using System.Globalization;
using System.Text.RegularExpressions;
using CamCube.Experiments.Images;
using CamCube.Testbed;

namespace CamCube.Benchmarks.Images;

/// <summary>Thumbnails and originals served per second of processor time, by wrk over connections that stay, beside
/// nginx with the same files and without sendfile.</summary>
internal static partial class ServePart
{
    private const string Name = "served";
    private const string Seconds = "3s";

    public static async Task RunAsync(ImageHost host, string folder, int rounds)
    {
        if (!OwnProcess.IsInstalled("wrk") || !OwnProcess.IsInstalled("nginx"))
        {
            throw new TestbedException("serve needs wrk and nginx (tools/install-test-dependencies peers).");
        }

        byte[] picture = MadePictures.Make(1, MadePictures.MeanBytes);
        await host.StoreAsync(0, Name, picture);
        byte[] thumbnail = await host.Http.GetByteArrayAsync(host.UrlOf(0, $"{Name}/thumb"));
        string files = Directory.CreateDirectory(Path.Combine(folder, "web")).FullName;
        await File.WriteAllBytesAsync(Path.Combine(files, "original"), picture);
        await File.WriteAllBytesAsync(Path.Combine(files, "thumb"), thumbnail);
        int root = await host.RootOfAsync(Name),
            port = OwnProcess.FreePort();
        using OwnProcess nginx = StartNginx(folder, files, port);
        string web = $"http://127.0.0.1:{port}/";
        await OwnProcess.UntilAsync("nginx", async () => (await host.Http.GetAsync(web + "thumb")).IsSuccessStatusCode);
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"original {picture.Length:N0} bytes, thumbnail {thumbnail.Length:N0} bytes"
            )
        );
        Rounds thumbnails = new(),
            originals = new();
        double[] rate(Func<TimeSpan> cpu, string url, int warmUps = 0)
        {
            for (int i = 0; i < warmUps; i++)
            {
                Load(url);
            }

            TimeSpan before = cpu();
            long requests = Load(url);
            return [requests / (cpu() - before).TotalSeconds];
        }

        for (int round = 0; round < rounds; round++)
        {
            int warmUps = round == 0 ? 2 : 0;
            TimeSpan own() => host.Cpu;
            TimeSpan peer() => ProcessTreeTime.OfTree(nginx.Id);
            thumbnails.Add("at the server of its name", rate(own, host.UrlOf(root, $"{Name}/thumb"), warmUps)[0] / 1e3);
            thumbnails.Add("at another", rate(own, host.UrlOf((root + 1) % 3, $"{Name}/thumb"), warmUps)[0] / 1e3);
            thumbnails.Add("nginx", rate(peer, web + "thumb")[0] / 1e3);
            double megabytes = picture.Length / 1e6;
            originals.Add("at the server of its name", rate(own, host.UrlOf(root, Name), warmUps)[0] * megabytes);
            originals.Add("at another", rate(own, host.UrlOf((root + 1) % 3, Name), warmUps)[0] * megabytes);
            originals.Add("nginx", rate(peer, web + "original")[0] * megabytes);
        }

        thumbnails.Print("thousand thumbnails a CPU second");
        thumbnails.Ratio(
            "thumbnails, at the server of its name / nginx",
            "at the server of its name",
            "nginx",
            ">= 0.3"
        );
        thumbnails.Ratio("thumbnails, forwarded / nginx", "at another", "nginx", ">= 0.2");
        originals.Print("MB of originals a CPU second");
        originals.Ratio("originals, at the server of its name / nginx", "at the server of its name", "nginx", ">= 0.4");
        originals.Ratio("originals, forwarded / nginx", "at another", "nginx", "-");
    }

    private static long Load(string url)
    {
        string said = Programs.Run("wrk", ["-t1", "-c16", $"-d{Seconds}", url]);
        if (
            said.Contains("Non-2xx", StringComparison.Ordinal)
            || said.Contains("Socket errors", StringComparison.Ordinal)
        )
        {
            throw new TestbedException($"wrk {url}: {said}");
        }

        return long.Parse(RequestsPattern().Match(said).Groups[1].Value, CultureInfo.InvariantCulture);
    }

    private static OwnProcess StartNginx(string folder, string files, int port)
    {
        string settings = Path.Combine(folder, "nginx.conf");
        File.WriteAllText(
            settings,
            $$"""
            user root;
            daemon off;
            worker_processes 1;
            pid {{folder}}/nginx.pid;
            events {}
            http {
              access_log off;
              sendfile off;
              keepalive_requests 100000000;
              default_type image/jpeg;
              client_body_temp_path {{folder}}/body;
              proxy_temp_path {{folder}}/proxy;
              fastcgi_temp_path {{folder}}/fastcgi;
              uwsgi_temp_path {{folder}}/uwsgi;
              scgi_temp_path {{folder}}/scgi;
              server {
                listen 127.0.0.1:{{port}};
                root {{files}};
              }
            }
            """
        );
        return OwnProcess.Start("nginx", "-c", settings, "-e", Path.Combine(folder, "nginx.log"));
    }

    [GeneratedRegex("([0-9]+) requests in", RegexOptions.CultureInvariant)]
    private static partial Regex RequestsPattern();
}

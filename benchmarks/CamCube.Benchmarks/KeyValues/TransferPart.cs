using System.Diagnostics;
using System.Globalization;
using CamCube.Testbed;

namespace CamCube.Benchmarks.KeyValues;

/// <summary>
/// 100 MiB into the key-value store and the file store and out of them over HTTP, beside three files written and synced
/// one after the other, and beside nginx, which has one copy and syncs nothing. All by curl and dd, in turns, on one
/// file system.
/// </summary>
internal static class TransferPart
{
    private const int Bytes = 100 << 20;
    private const int Copies = 3;
    private const int Servers = 3;

    public static async Task RunAsync(int rounds)
    {
        string folder = Directory.CreateTempSubdirectory("camcube-kv-peers-").FullName;
        try
        {
            await RunAsync(folder, rounds);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task RunAsync(string folder, int rounds)
    {
        string file = Path.Combine(folder, "blob");
        byte[] bytes = new byte[Bytes];
        new Random(1).NextBytes(bytes);
        await File.WriteAllBytesAsync(file, bytes);
        using OwnProcess host = StartStore(folder, out string store, out string files);
        using OwnProcess? nginx = StartNginx(folder, out string web);
        using var http = new HttpClient();
        await OwnProcess.UntilAsync(
            "the store",
            async () => (await http.PutAsync(store + "ready", new ByteArrayContent([1]))).IsSuccessStatusCode
        );
        await OwnProcess.UntilAsync(
            "the file store",
            async () => (await http.PutAsync(files + "ready", new ByteArrayContent([1]))).IsSuccessStatusCode
        );
        var times = new Dictionary<string, List<double>>();
        void note(string what, Action act)
        {
            long began = Stopwatch.GetTimestamp();
            act();
            times.TryAdd(what, []);
            times[what].Add(Stopwatch.GetElapsedTime(began).TotalSeconds);
        }

        for (int round = 0; round < rounds; round++)
        {
            note("3 x dd, synced", () => Copy(folder, file));
            note("store PUT", () => Curl("-T", file, store + "blob"));
            note("store GET", () => Curl("-o", "/dev/null", store + "blob"));

            // One that is there already would be compared, and not stored.
            note("files PUT", () => Curl("-T", file, files + "blob"));
            note("files GET", () => Curl("-o", "/dev/null", files + "blob"));
            Curl("-X", "DELETE", files + "blob");
            if (nginx is not null)
            {
                note("nginx PUT", () => Curl("-T", file, web + "blob"));
                note("nginx GET", () => Curl("-o", "/dev/null", web + "blob"));
            }
        }

        foreach ((string what, List<double> all) in times)
        {
            string range = string.Create(CultureInfo.InvariantCulture, $"({all.Min():0.00} to {all.Max():0.00})");
            Console.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"{what, -16} {Median(all), 6:0.00} s {range}")
            );
        }

        Say("store PUT, rate to 3 x dd", times["3 x dd, synced"], times["store PUT"]);
        Say("files PUT, rate to 3 x dd", times["3 x dd, synced"], times["files PUT"]);
        Say("files PUT, rate to store PUT", times["store PUT"], times["files PUT"]);
        Say("files GET, rate to store GET", times["store GET"], times["files GET"]);
        if (nginx is not null)
        {
            Say("store GET, rate to nginx", times["nginx GET"], times["store GET"]);
            Say("store PUT, rate to nginx", times["nginx PUT"], times["store PUT"]);
            Say("files GET, rate to nginx", times["nginx GET"], times["files GET"]);
            Say("files PUT, rate to nginx", times["nginx PUT"], times["files PUT"]);
        }
        else
        {
            Console.WriteLine("nginx is not installed: nothing beside it");
        }
    }

    // The median of the ratios of single rounds: the machine's speed changes within seconds.
    private static void Say(string what, List<double> peer, List<double> own) =>
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{what}: {Median([.. peer.Zip(own, (a, b) => a / b)]):0.00} (median of {own.Count} rounds)"
            )
        );

    private static double Median(List<double> all) => all.Order().ElementAt(all.Count / 2);

    private static void Copy(string folder, string file)
    {
        for (int copy = 0; copy < Copies; copy++)
        {
            string to = Path.Combine(folder, $"copy-{copy}");
            Programs.Run("dd", [$"if={file}", $"of={to}", "bs=1M", "conv=fsync"]);
            File.Delete(to);
        }
    }

    private static void Curl(params string[] words) => Programs.Run("curl", ["-sSf", .. words]);

    private static OwnProcess StartStore(string folder, out string address, out string files)
    {
        // Each server has a port of its own behind the first one's.
        int port = OwnProcess.FreePort(),
            filesPort = port + Servers;
        address = $"http://127.0.0.1:{port}/kv/";
        files = $"http://127.0.0.1:{filesPort}/files/";
        string program = HostProgramFile.Find(null);
        return OwnProcess.Start(
            "dotnet",
            program,
            $"--CamCube:Shape={Servers}x1x1",
            "--CamCube:Services:kv:Enabled=true",
            "--CamCube:Services:files:Enabled=true",
            $"--CamCube:FrontEnds:files:Port={filesPort}",
            $"--CamCube:DataFolder={Path.Combine(folder, "data")}",
            $"--CamCube:FrontEnds:kv-http:Port={port}",
            "--CamCube:FrontEnds:memcached:Enabled=false",
            $"--CamCube:Http:Port={OwnProcess.FreePort()}"
        );
    }

    private static OwnProcess? StartNginx(string folder, out string address)
    {
        int port = OwnProcess.FreePort();
        address = $"http://127.0.0.1:{port}/";
        if (!OwnProcess.IsInstalled("nginx"))
        {
            return null;
        }

        string files = Directory.CreateDirectory(Path.Combine(folder, "web")).FullName,
            settings = Path.Combine(folder, "nginx.conf");
        File.WriteAllText(
            settings,
            $$"""
            user root;
            daemon off;
            pid {{folder}}/nginx.pid;
            events {}
            http {
              access_log off;
              sendfile on;
              client_max_body_size 2g;
              client_body_temp_path {{folder}}/body;
              proxy_temp_path {{folder}}/proxy;
              fastcgi_temp_path {{folder}}/fastcgi;
              uwsgi_temp_path {{folder}}/uwsgi;
              scgi_temp_path {{folder}}/scgi;
              server {
                listen 127.0.0.1:{{port}};
                root {{files}};
                location / { dav_methods PUT; }
              }
            }
            """
        );
        return OwnProcess.Start("nginx", "-c", settings, "-e", Path.Combine(folder, "nginx.log"));
    }
}

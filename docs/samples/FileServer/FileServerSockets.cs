using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace FileServerSample;

/// <summary>The same with sockets: length 4 and name to the server; length 4 and bytes back, or length -1.</summary>
public static class FileServerSockets
{
    /// <summary>Answers clients until it is cancelled.</summary>
    public static async Task ServeAsync(
        TcpListener listener,
        IReadOnlyDictionary<string, byte[]> files,
        CancellationToken cancel
    )
    {
        var clients = new List<Task>();
        try
        {
            while (true)
            {
                TcpClient client = await listener.AcceptTcpClientAsync(cancel);
                clients.RemoveAll(c => c.IsCompleted);
                clients.Add(AnswerAsync(client, files, cancel));
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(clients);
        }
    }

    /// <summary>Fetches a file; null: there is none.</summary>
    public static async Task<byte[]?> GetAsync(IPEndPoint from, string name, CancellationToken cancel)
    {
        using var client = new TcpClient();
        await client.ConnectAsync(from, cancel);
        NetworkStream stream = client.GetStream();
        byte[] question = new byte[sizeof(int) + Encoding.UTF8.GetByteCount(name)];
        BinaryPrimitives.WriteInt32LittleEndian(question, question.Length - sizeof(int));
        Encoding.UTF8.GetBytes(name, question.AsSpan(sizeof(int)));
        await stream.WriteAsync(question, cancel);
        byte[] length = new byte[sizeof(int)];
        await stream.ReadExactlyAsync(length, cancel);
        int bytes = BinaryPrimitives.ReadInt32LittleEndian(length);
        if (bytes < 0)
        {
            return null;
        }

        byte[] file = new byte[bytes];
        await stream.ReadExactlyAsync(file, cancel);
        return file;
    }

    private static async Task AnswerAsync(
        TcpClient client,
        IReadOnlyDictionary<string, byte[]> files,
        CancellationToken cancel
    )
    {
        const int MostName = 1_000;
        using TcpClient closes = client;
        byte[] head = new byte[sizeof(int)];
        try
        {
            NetworkStream stream = client.GetStream();
            while (await stream.ReadAtLeastAsync(head, head.Length, throwOnEndOfStream: false, cancel) == head.Length)
            {
                int length = BinaryPrimitives.ReadInt32LittleEndian(head);
                if (length is < 0 or > MostName)
                {
                    return;
                }

                byte[] name = new byte[length];
                await stream.ReadExactlyAsync(name, cancel);
                bool isThere = files.TryGetValue(Encoding.UTF8.GetString(name), out byte[]? file);
                BinaryPrimitives.WriteInt32LittleEndian(head, isThere ? file!.Length : -1);
                await stream.WriteAsync(head, cancel);
                await stream.WriteAsync(file ?? [], cancel);
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The client went, or the server ends.
        }
    }
}

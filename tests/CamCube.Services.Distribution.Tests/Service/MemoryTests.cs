namespace CamCube.Services.Distribution.Tests.Service;

/// <summary>Memory of 1 to 64 jobs at once: the bounds of the settings hold all the time, whoever begins, whatever
/// fails, and all files arrive.</summary>
public sealed class MemoryTests
{
    private const int Piece = 16 << 10;

    [Theory]
    [InlineData(1, false)]
    [InlineData(8, false)]
    [InlineData(64, false)]
    [InlineData(64, true)]
    public void What_is_in_memory_is_within_its_bounds_all_the_time(int jobs, bool fails)
    {
        const int Length = 24 * Piece;
        var options = new DistributionOptions
        {
            PieceBytes = Piece,
            BlockBytes = 4 << 10,
            Window = 2,

            // The least that is allowed: windows of one file.
            Buffers = 2L * ((6 * 2 * Piece) + DistributionOptions.MostPieceBytes),
            SendMemory = 16 << 20,
            ReceiveMemory = 16 << 20,
            Jobs = 64,
            Known = 64,
            LostTime = TimeSpan.FromMilliseconds(500),
        };
        using var cube = new DistributionCube(3, 3, 1, options);
        byte[][] files = [.. Enumerable.Range(0, jobs).Select(job => DistributionCube.Bytes(job, Length + job))];

        // Nobody begins at the server that is killed.
        (int Source, string Name)[] sent = [.. Enumerable.Range(0, jobs).Select(static job => (job % 8, $"f{job}"))];
        for (int job = 0; job < jobs; job++)
        {
            cube.Put(sent[job].Source, sent[job].Name, files[job]);
        }

        Task<DistributionAnswer>[] begun =
        [
            .. sent.Select(job => cube.Start(job.Source, (s, _) => s.SendAsync(new DistributionRequest(job.Name)))),
        ];
        long most = 0;
        bool isKilled = false;
        for (int step = 0; step < 400_000 && !Enumerable.Range(0, jobs).All(HasEnded); step++)
        {
            cube.Cube.Advance(TimeSpan.FromMicroseconds(step < 20_000 ? 20 : 1_000));
            if (fails && step == 500)
            {
                cube.Cube.Kill(cube.Cube.Shape.At(8));
                isKilled = true;
            }

            for (int rank = 0; rank < 9 - (isKilled ? 1 : 0); rank++)
            {
                Jobs.JobTerms terms = cube[rank].Terms;
                long pieces = terms.Windows.Bytes + terms.Transit.Bytes;
                most = Math.Max(most, pieces);
                Assert.InRange(terms.Windows.InUse, 0, terms.Windows.Bytes);
                Assert.InRange(terms.Transit.InUse, 0, terms.Transit.Bytes);
                Assert.InRange(pieces, 0, options.Buffers);
                Assert.InRange(terms.Pulls.SendBytes, 0, options.SendMemory);
                Assert.InRange(terms.Pulls.ReceiveBytes, 0, options.ReceiveMemory);
            }
        }

        Assert.True(most >= Piece, $"{most} bytes of pieces");
        for (int job = 0; job < jobs; job++)
        {
            DistributionStage stage = StageOf(job);
            Assert.Equal(fails ? DistributionStage.Incomplete : DistributionStage.Done, stage);
            for (int rank = 0; rank < 9 - (fails ? 1 : 0); rank++)
            {
                Assert.Equal(files[job], cube.Read(rank, $"f{job}"));
            }
        }

        cube.AssertQuiet();

        bool HasEnded(int job) =>
            begun[job].IsCompleted && StageOf(job) is not (DistributionStage.Preparing or DistributionStage.Running);

        DistributionStage StageOf(int job) =>
            cube.State(sent[job].Source, cube.Cube.Await(new ValueTask<DistributionAnswer>(begun[job])).Job).Stage;
    }
}

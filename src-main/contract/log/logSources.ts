// Sources of logs, a row each. Help, hints and messages about what can be imported are made from these rows.

interface LogSourceTexts {
  /** Formats of its files, by name. */
  formats: readonly string[];
  /** Its files, as messages list them. */
  files: string;
  /** Their required contents. */
  help: string;
}

export const logSources = {
  run: {
    formats: [],
    files: 'a run',
    help: "its sensor's beams; 'drive --misses' records pulses without a return",
  },
  mcap: {
    formats: ['MCAP'],
    files: '.mcap',
    help: 'LaserScan, or PointCloud2 (fields of Velodyne, Ouster, Livox, RoboSense, Hesai, Autoware, or plain ones) with TF, Odometry or PoseStamped; chunks of zstd, LZ4 or none',
  },
  rosbag2: {
    formats: ['rosbag2'],
    files: '.db3, a folder of rosbag2',
    help: 'as .mcap; files and messages may be compressed by zstd, files are those that metadata.yaml lists',
  },
  rosbag: {
    formats: ['ROS 1 bag'],
    files: '.bag',
    help: "as .mcap, of ROS 1 (chunks of LZ4, bzip2 or none); 'rosbag reindex' adds an index where it is missing",
  },
  pcap: {
    formats: ['Velodyne captures'],
    files: '.pcap, .pcapng',
    help: `data packets of a VLP-16, HDL-32E, VLP-32C, VLS-128 or HDL-64E S2 and S3, one or two returns, with --trajectory; every firing is
  a beam, those without a return are misses; --calibration: a sensor file with the lasers in the order of the packets (HDL-64E needs it)`,
  },
  kitti: {
    formats: ['KITTI'],
    files: 'a folder of KITTI',
    help: 'velodyne/, poses.txt, calib.txt and times.txt of the odometry benchmark; times and lasers are derived',
  },
  folder: {
    formats: ['PCD', 'PLY', 'LAS', 'LAZ'],
    files: '.pcd, .ply, .las, .laz',
    help: `one or a folder of them, with --trajectory; .las and .laz (including COPC) in the world, the others in the sensor's
  frame; clouds without times need the time as file name, or one pose for each file`,
  },
  beams: {
    formats: ['NPZ'],
    files: '.npz',
    help: "of 'scan --misses --columns default,beam' and 'log export', as .las, .laz, .pcd and .ply of them: no trajectory, their rows have beams",
  },
  csv: {
    formats: ['CSV'],
    files: '.csv',
    help: `time_s or time_ns; origin_x_m, origin_y_m, origin_z_m; direction_x, direction_y, direction_z and range_m, or x_m, y_m, z_m;
  also azimuth_rad (--azimuth needs it), intensity, laser, state (0 unknown, 1 return, 2 miss, 3 inferred miss), return_no (0: no return)`,
  },
} as const satisfies Record<string, LogSourceTexts>;

const rows: readonly LogSourceTexts[] = Object.values(logSources);
const formats = rows.flatMap((row) => row.formats);

/** 'MCAP, PCD or CSV'. */
export const logFormatsText = `${formats.slice(0, -1).join(', ')} or ${formats.at(-1) ?? ''}`;
/** 'a run, .mcap, .csv'. */
export const logFilesText = rows.map(({ files }) => files).join(', ');
export const logSourcesHelp = rows.map(({ files, help }) => `  ${files}: ${help}`).join('\n');
